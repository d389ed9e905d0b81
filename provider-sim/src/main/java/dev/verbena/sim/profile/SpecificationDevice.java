// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

import dev.verbena.verbs.AtomicCapability;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.OdpCapabilities;
import dev.verbena.verbs.OdpOperation;
import java.util.EnumSet;
import java.util.Set;

/** The limits and capabilities of {@link DeviceProfile#specification()}, from which the other presets are derived. */
final class SpecificationDevice {
    /** Each queue pair type supports on-demand memory for all of its operations. */
    private static final int UD_ODP =
            OdpOperation.SEND.mask() | OdpOperation.RECV.mask() | OdpOperation.SRQ_RECV.mask();

    static final int UC_ODP = UD_ODP | OdpOperation.WRITE.mask();
    private static final int RC_ODP = UC_ODP
            | OdpOperation.READ.mask()
            | OdpOperation.ATOMIC.mask()
            | OdpOperation.FLUSH.mask()
            | OdpOperation.ATOMIC_WRITE.mask();

    private SpecificationDevice() {}

    static DeviceAttributes attributes() {
        return DeviceAttributes.builder()
                .firmwareVersion("0.1.0")
                .maxMrSize(Long.MAX_VALUE)
                .pageSizeCap(0xFFFFF000L)
                .vendorId(0xFFFFFF)
                .maxQp(1_048_560)
                .maxQpWr(1_048_576)
                .maxSge(32)
                .maxSgeRd(32)
                .maxCq(1_048_576)
                .maxCqe(32_767)
                .maxMr(524_287)
                .maxMw(524_287)
                .maxFastRegPageListLength(512)
                .maxPd(1_048_576)
                .maxSrq(917_503)
                .maxSrqWr(1_048_576)
                .maxSrqSge(27)
                .maxQpRdAtom(128)
                .maxQpInitRdAtom(128)
                .maxResRdAtom(258_048)
                .atomicCapability(AtomicCapability.GLOB)
                .maxMcastGroups(8192)
                .maxMcastQpAttach(56)
                .maxTotalMcastQpAttach(458_752)
                .maxAh(32_767)
                .maxPkeys(1)
                .localCaAckDelay(15)
                .physicalPortCount(1)
                .completionVectors(1)
                .maxInlineData(512)
                .maxCqModerationCount(CompletionQueue.MOST_MODERATION)
                .maxCqModerationPeriod(CompletionQueue.MOST_MODERATION)
                .odpCapabilities(new OdpCapabilities(OdpCapabilities.SUPPORT, RC_ODP, UC_ODP, UD_ODP, 0))
                .build();
    }

    static Set<Capability> capabilities() {
        return EnumSet.of(
                Capability.RC,
                Capability.RDMA_READ,
                Capability.ATOMICS,
                Capability.ATOMIC_WRITE,
                Capability.FLUSH,
                Capability.SEND_WITH_INV,
                Capability.SQ_DRAIN,
                Capability.UC,
                Capability.UD,
                Capability.UD_MULTICAST,
                Capability.AH_FROM_COMPLETION,
                Capability.SRQ,
                Capability.SRQ_RESIZE,
                Capability.IMMEDIATE_DATA,
                Capability.INLINE_DATA,
                Capability.IOVA_MR,
                Capability.ZERO_BASED_MR,
                Capability.REREGISTER_MR,
                Capability.ON_DEMAND_PAGING,
                Capability.MW_TYPE_1,
                Capability.MW_TYPE_2B,
                Capability.FAST_REGISTRATION,
                Capability.FAST_REGISTRATION_GAPS,
                Capability.FMR,
                Capability.COMPLETION_CHANNEL,
                Capability.CQ_RESIZE,
                Capability.CQ_MODERATION,
                Capability.SOLICITED_EVENTS,
                Capability.ASYNC_EVENTS,
                Capability.QP_QUERY,
                Capability.MANUAL_CONNECT,
                Capability.GLOBAL_ROUTING);
    }
}
