package dev.verbena.sim.device;

import dev.verbena.verbs.AtomicCapability;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.SendOpcode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What kind of device to simulate: its limits and what it can do.
 *
 * @param attributes the limits
 * @param capabilities what it can do; an operation outside is refused
 * @param maxMessageSize bytes of the longest message, up to 2^30
 */
public record DeviceProfile(DeviceAttributes attributes, Set<Capability> capabilities, long maxMessageSize) {
    private static final long MAX_MESSAGE = 1L << 30;

    /** Checks the message size, and keeps its own copy of the capabilities. */
    public DeviceProfile {
        if (maxMessageSize < 1 || maxMessageSize > MAX_MESSAGE) {
            throw new IllegalArgumentException(
                    "maxMessageSize is " + maxMessageSize + "; it must be 1 to " + MAX_MESSAGE);
        }
        Set<Capability> own = EnumSet.noneOf(Capability.class);
        own.addAll(capabilities);
        capabilities = Collections.unmodifiableSet(own);
    }

    /**
     * Returns the default: Soft-RoCE's limits, behaviour as the specification asks.
     *
     * <p>Reliable connections with SEND, SEND with immediate, RDMA WRITE and RDMA WRITE with immediate; inline data; completion
     * channels and handlers, solicited events; regions at any address.
     *
     * @param nodeGuid the device's GUID, unique on its fabric
     * @return the profile
     */
    public static DeviceProfile specification(Guid nodeGuid) {
        DeviceAttributes attributes = DeviceAttributes.builder()
                .firmwareVersion("0.1.0")
                .nodeGuid(nodeGuid)
                .systemImageGuid(nodeGuid)
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
                .maxPd(1_048_576)
                .maxQpRdAtom(128)
                .maxQpInitRdAtom(128)
                .maxResRdAtom(258_048)
                .atomicCapability(AtomicCapability.NONE)
                .maxPkeys(1)
                .localCaAckDelay(15)
                .physicalPortCount(1)
                .completionVectors(1)
                .maxInlineData(512)
                .build();
        return new DeviceProfile(
                attributes,
                EnumSet.of(
                        Capability.RC,
                        Capability.IMMEDIATE_DATA,
                        Capability.INLINE_DATA,
                        Capability.IOVA_MR,
                        Capability.COMPLETION_CHANNEL,
                        Capability.SOLICITED_EVENTS,
                        Capability.ASYNC_EVENTS,
                        Capability.QP_QUERY,
                        Capability.MANUAL_CONNECT,
                        Capability.GLOBAL_ROUTING),
                MAX_MESSAGE);
    }

    boolean supports(SendOpcode opcode) {
        return switch (opcode) {
            case SEND, RDMA_WRITE -> true;
            case SEND_WITH_IMMEDIATE, RDMA_WRITE_WITH_IMMEDIATE -> capabilities.contains(Capability.IMMEDIATE_DATA);
            case RDMA_READ,
                    ATOMIC_COMPARE_AND_SWAP,
                    ATOMIC_FETCH_AND_ADD,
                    ATOMIC_WRITE,
                    FLUSH,
                    SEND_WITH_INVALIDATE,
                    LOCAL_INVALIDATE,
                    BIND_MW,
                    REGISTER_MR -> false;
        };
    }
}
