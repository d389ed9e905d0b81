// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.ibverbs.struct.IbvDeviceAttr;
import dev.verbena.ibverbs.struct.IbvDeviceAttrEx;
import dev.verbena.verbs.AtomicCapability;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.OdpCapabilities;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The GUIDs, vendor ids, versions, limits and capabilities that a device reports (ibv_query_device(3)).
 *
 * @param capabilities the capabilities that {@link CapabilityProbe} need not check
 * @param claims the capabilities that {@link CapabilityProbe} must test, because the device attributes do not show whether
 *     the device supports them
 */
public record DeviceFacts(DeviceAttributes attributes, Set<Capability> capabilities, Set<Capability> claims) {
    private static final int FIRMWARE_LENGTH = 64;

    private static final int SRQ_RESIZE = 1 << 13;

    /** Bits that only {@code enum ib_uverbs_device_cap_flags} declares, not {@code enum ibv_device_cap_flags}. */
    private static final long FLUSH_GLOBAL = 1L << 38;

    private static final long ATOMIC_WRITE = 1L << 40;

    private static final int MEM_WINDOW = 1 << 17;
    private static final int MEM_MGT_EXTENSIONS = 1 << 21;
    private static final int MEM_WINDOW_TYPE_2A = 1 << 23;
    private static final int MEM_WINDOW_TYPE_2B = 1 << 24;

    /** The capabilities that the provider {@code ibverbs} reports for every InfiniBand and RoCE device with RC and UD. */
    private static final Set<Capability> USUAL = EnumSet.of(
            Capability.RDMA_READ,
            Capability.IMMEDIATE_DATA,
            Capability.IOVA_MR,
            Capability.COMPLETION_CHANNEL,
            Capability.SOLICITED_EVENTS,
            Capability.ASYNC_EVENTS,
            Capability.SQ_DRAIN,
            Capability.AH_FROM_COMPLETION,
            Capability.QP_QUERY,
            Capability.MANUAL_CONNECT,
            Capability.GLOBAL_ROUTING);

    /** Capabilities for which no device attribute shows whether the device supports them. */
    private static final Set<Capability> USUAL_CLAIMS = EnumSet.of(
            Capability.RC,
            Capability.UC,
            Capability.UD,
            Capability.INLINE_DATA,
            Capability.CQ_RESIZE,
            Capability.CQ_MODERATION,
            Capability.DMABUF_MR,
            Capability.ECE,
            Capability.REREGISTER_MR);

    private static final Set<Capability> NEED_RC = EnumSet.of(
            Capability.RDMA_READ,
            Capability.ATOMICS,
            Capability.ATOMIC_WRITE,
            Capability.FLUSH,
            Capability.SEND_WITH_INV);

    private static final Set<Capability> NEED_UD = EnumSet.of(Capability.AH_FROM_COMPLETION, Capability.UD_MULTICAST);

    /**
     * Capabilities that the iWARP transport lacks. The kernel driver siw ignores the parameter {@code iova} of {@code
     * ibv_reg_mr_iova}.
     */
    private static final Set<Capability> INFINIBAND_ONLY = EnumSet.of(
            Capability.IOVA_MR,
            Capability.UC,
            Capability.UD,
            Capability.IMMEDIATE_DATA,
            Capability.AH_FROM_COMPLETION,
            Capability.MANUAL_CONNECT,
            Capability.SQ_DRAIN,
            Capability.GLOBAL_ROUTING,
            Capability.ATOMICS,
            Capability.UD_MULTICAST);

    /** {@code SIW_VENDOR_ID} of the kernel's siw. */
    private static final int SIW = 0x626d74;

    /**
     * Capabilities that siw lacks, although {@code capabilities(DeviceAttributes)} returns them for siw. If a CQ is armed
     * for solicited completions, siw never raises an event for this CQ. For a send with invalidate, libsiw reads the rkey
     * from a wrong member of {@code struct ibv_send_wr}.
     */
    private static final Set<Capability> NOT_IN_SIW = EnumSet.of(Capability.SOLICITED_EVENTS, Capability.SEND_WITH_INV);

    static DeviceFacts ask(IbvLibrary library, MemorySegment context, String name, boolean iwarp)
            throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvDeviceAttr.LAYOUT);
            Outcome.check(
                    "ibv_query_device",
                    "querying the attributes of device " + name,
                    "see the kernel log",
                    callState -> library.contexts().queryDevice(callState, context, raw));
            return of(
                    raw,
                    extended(library, context, arena),
                    Math.max(1, context.get(JAVA_INT, IbvContext.NUM_COMP_VECTORS)),
                    library.verbs().getPageSize(),
                    iwarp);
        }
    }

    /** Returns the attributes of {@code ibv_query_device_ex}, or zeros if the call fails or is not implemented. */
    private static MemorySegment extended(IbvLibrary library, MemorySegment context, Arena arena) {
        MemorySegment callState = CallState.allocate(arena);
        MemorySegment attributes = arena.allocate(IbvDeviceAttrEx.LAYOUT);
        try {
            int answer = library.tables()
                    .ports(context)
                    .queryDeviceEx(
                            callState, context, MemorySegment.NULL, attributes, IbvDeviceAttrEx.LAYOUT.byteSize());
            return answer == 0 ? attributes : attributes.fill((byte) 0);
        } catch (UnsupportedOperationException olderLibrary) {
            return attributes;
        }
    }

    public static DeviceFacts of(
            MemorySegment raw, MemorySegment extended, int completionVectors, long pageSize, boolean iwarp) {
        DeviceAttributes attributes = DeviceAttributes.builder()
                .firmwareVersion(DeviceListing.text(raw.asSlice(IbvDeviceAttr.FW_VER, FIRMWARE_LENGTH)))
                .nodeGuid(DeviceListing.guid(raw.get(JAVA_LONG, IbvDeviceAttr.NODE_GUID)))
                .systemImageGuid(DeviceListing.guid(raw.get(JAVA_LONG, IbvDeviceAttr.SYS_IMAGE_GUID)))
                .maxMrSize(atMost(raw.get(JAVA_LONG, IbvDeviceAttr.MAX_MR_SIZE)))
                .pageSizeCap(raw.get(JAVA_LONG, IbvDeviceAttr.PAGE_SIZE_CAP))
                .systemPageSize(pageSize)
                .vendorId(raw.get(JAVA_INT, IbvDeviceAttr.VENDOR_ID))
                .vendorPartId(raw.get(JAVA_INT, IbvDeviceAttr.VENDOR_PART_ID))
                .hardwareVersion(raw.get(JAVA_INT, IbvDeviceAttr.HW_VER))
                .maxQp(count(raw, IbvDeviceAttr.MAX_QP))
                .maxQpWr(count(raw, IbvDeviceAttr.MAX_QP_WR))
                .maxSge(count(raw, IbvDeviceAttr.MAX_SGE))
                .maxSgeRd(count(raw, IbvDeviceAttr.MAX_SGE_RD))
                .maxCq(count(raw, IbvDeviceAttr.MAX_CQ))
                .maxCqe(count(raw, IbvDeviceAttr.MAX_CQE))
                .maxMr(count(raw, IbvDeviceAttr.MAX_MR))
                .maxMw(count(raw, IbvDeviceAttr.MAX_MW))
                .maxPd(count(raw, IbvDeviceAttr.MAX_PD))
                .maxQpRdAtom(count(raw, IbvDeviceAttr.MAX_QP_RD_ATOM))
                .maxQpInitRdAtom(count(raw, IbvDeviceAttr.MAX_QP_INIT_RD_ATOM))
                .maxResRdAtom(count(raw, IbvDeviceAttr.MAX_RES_RD_ATOM))
                .atomicCapabilityCode(raw.get(JAVA_INT, IbvDeviceAttr.ATOMIC_CAP))
                .maxMcastGroups(count(raw, IbvDeviceAttr.MAX_MCAST_GRP))
                .maxMcastQpAttach(count(raw, IbvDeviceAttr.MAX_MCAST_QP_ATTACH))
                .maxTotalMcastQpAttach(count(raw, IbvDeviceAttr.MAX_TOTAL_MCAST_QP_ATTACH))
                .maxAh(count(raw, IbvDeviceAttr.MAX_AH))
                .maxSrq(count(raw, IbvDeviceAttr.MAX_SRQ))
                .maxSrqWr(count(raw, IbvDeviceAttr.MAX_SRQ_WR))
                .maxSrqSge(count(raw, IbvDeviceAttr.MAX_SRQ_SGE))
                .maxPkeys(Short.toUnsignedInt(raw.get(JAVA_SHORT, IbvDeviceAttr.MAX_PKEYS)))
                .localCaAckDelay(raw.get(JAVA_BYTE, IbvDeviceAttr.LOCAL_CA_ACK_DELAY) & 0x1F)
                .physicalPortCount(Math.max(1, raw.get(JAVA_BYTE, IbvDeviceAttr.PHYS_PORT_CNT) & 0xFF))
                .completionVectors(completionVectors)
                .completionTimestampMask(extended.get(JAVA_LONG, IbvDeviceAttrEx.COMPLETION_TIMESTAMP_MASK))
                .capabilityFlags(Integer.toUnsignedLong(raw.get(JAVA_INT, IbvDeviceAttr.DEVICE_CAP_FLAGS))
                        | extended.get(JAVA_LONG, IbvDeviceAttrEx.DEVICE_CAP_FLAGS_EX))
                .hcaCoreClock(atMost(extended.get(JAVA_LONG, IbvDeviceAttrEx.HCA_CORE_CLOCK)))
                .maxCqModerationCount(Short.toUnsignedInt(extended.get(JAVA_SHORT, IbvDeviceAttrEx.MAX_CQ_COUNT)))
                .maxCqModerationPeriod(Short.toUnsignedInt(extended.get(JAVA_SHORT, IbvDeviceAttrEx.MAX_CQ_PERIOD)))
                .odpCapabilities(odpCapabilities(extended))
                .build();
        Set<Capability> capabilities = capabilities(attributes);
        Set<Capability> claims = claims(attributes);
        if (iwarp) {
            capabilities.removeAll(INFINIBAND_ONLY);
            claims.removeAll(INFINIBAND_ONLY);
            if (attributes.vendorId() == SIW) {
                capabilities.removeAll(NOT_IN_SIW);
            }
        }
        return new DeviceFacts(
                attributes, Collections.unmodifiableSet(capabilities), Collections.unmodifiableSet(claims));
    }

    private static OdpCapabilities odpCapabilities(MemorySegment extended) {
        return new OdpCapabilities(
                extended.get(JAVA_LONG, IbvDeviceAttrEx.ODP_GENERAL_CAPS),
                extended.get(JAVA_INT, IbvDeviceAttrEx.RC_ODP_CAPS),
                extended.get(JAVA_INT, IbvDeviceAttrEx.UC_ODP_CAPS),
                extended.get(JAVA_INT, IbvDeviceAttrEx.UD_ODP_CAPS),
                extended.get(JAVA_INT, IbvDeviceAttrEx.XRC_ODP_CAPS));
    }

    /** Returns all capabilities of the device, including those that {@link CapabilityProbe} has confirmed. */
    public Set<Capability> with(Set<Capability> confirmed) {
        EnumSet<Capability> all = EnumSet.copyOf(capabilities);
        all.addAll(confirmed);
        if (!all.contains(Capability.RC)) {
            all.removeAll(NEED_RC);
        }
        if (!all.contains(Capability.UD)) {
            all.removeAll(NEED_UD);
        }
        return Collections.unmodifiableSet(all);
    }

    private static Set<Capability> capabilities(DeviceAttributes attributes) {
        long flags = attributes.capabilityFlags();
        EnumSet<Capability> can = EnumSet.copyOf(USUAL);
        int invalidating = MEM_MGT_EXTENSIONS | MEM_WINDOW_TYPE_2A | MEM_WINDOW_TYPE_2B;
        add(can, Capability.SEND_WITH_INV, (flags & invalidating) != 0);
        add(can, Capability.ATOMICS, attributes.atomicCapability() != AtomicCapability.NONE);
        add(can, Capability.COMPLETION_TIMESTAMP, attributes.completionTimestampMask() != 0);
        add(can, Capability.UD_MULTICAST, attributes.maxMcastGroups() > 0);
        long paging = attributes.odpCapabilities().general();
        add(can, Capability.ON_DEMAND_PAGING, (paging & OdpCapabilities.SUPPORT) != 0);
        add(can, Capability.IMPLICIT_ON_DEMAND_PAGING, (paging & OdpCapabilities.IMPLICIT) != 0);
        return can;
    }

    private static Set<Capability> claims(DeviceAttributes attributes) {
        long flags = attributes.capabilityFlags();
        EnumSet<Capability> claimed = EnumSet.copyOf(USUAL_CLAIMS);
        add(claimed, Capability.SRQ, attributes.maxSrq() > 0);
        add(claimed, Capability.SRQ_RESIZE, attributes.maxSrq() > 0 && (flags & SRQ_RESIZE) != 0);
        add(claimed, Capability.MW_TYPE_1, (flags & MEM_WINDOW) != 0);
        add(claimed, Capability.MW_TYPE_2A, (flags & MEM_WINDOW_TYPE_2A) != 0);
        add(claimed, Capability.MW_TYPE_2B, (flags & MEM_WINDOW_TYPE_2B) != 0);
        add(claimed, Capability.FLUSH, (flags & FLUSH_GLOBAL) != 0);
        add(claimed, Capability.ATOMIC_WRITE, (flags & ATOMIC_WRITE) != 0);
        return claimed;
    }

    private static void add(Set<Capability> can, Capability capability, boolean has) {
        if (has) {
            can.add(capability);
        }
    }

    /**
     * Converts a device limit to a {@code long}. Some kernel drivers report -1 for no limit, and an unsigned 64-bit limit
     * may exceed the range of a {@code long}.
     */
    private static long atMost(long unsigned) {
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }

    private static int count(MemorySegment raw, long offset) {
        int value = raw.get(JAVA_INT, offset);
        return value < 0 ? Integer.MAX_VALUE : value;
    }
}
