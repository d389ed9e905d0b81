package dev.verbena.verbs;

/**
 * What a device is and how much it can ({@code struct ibv_device_attr}, {@code ibv_query_device}(3); the last three
 * components come from {@code struct ibv_context} and the kernel). Immutable.
 *
 * <p>The limits are upper bounds of each kind alone: memory may be short before they are reached. What it can do at
 * all is in the set of {@link Capability} values.
 *
 * @param firmwareVersion as the device prints it, empty if it has none
 * @param nodeGuid identity of the device
 * @param systemImageGuid identity of the system that several devices may belong to
 * @param maxMrSize bytes of the largest region; {@link Long#MAX_VALUE} when the device has no limit (2^64 - 1 in C)
 * @param pageSizeCap page sizes for registration, one bit a power of two: bit 12 is 4 KiB
 * @param systemPageSize bytes of a page of the system's memory, a power of two ({@code sysconf(_SC_PAGESIZE)}): an address chosen for
 *     a region has the offset in such a page that the memory has ({@code ib_uverbs_reg_mr()} refuses others)
 * @param vendorId IEEE vendor number, 24 bits
 * @param vendorPartId number that the vendor gives
 * @param hardwareVersion number that the vendor gives
 * @param maxQp queue pairs
 * @param maxQpWr work requests outstanding on one queue of a queue pair
 * @param maxSge scatter-gather entries of a work request, RDMA READ apart
 * @param maxSgeRd scatter entries of an RDMA READ
 * @param maxCq completion queues
 * @param maxCqe entries of a completion queue
 * @param maxMr memory regions
 * @param maxMw memory windows
 * @param maxPd protection domains
 * @param maxQpRdAtom READs and atomics that a queue pair serves at once as responder
 * @param maxQpInitRdAtom READs and atomics that a queue pair has outstanding as requester
 * @param maxResRdAtom the same as responder, for the whole device
 * @param atomicCapability against whom atomics are atomic
 * @param maxMcastGroups multicast groups
 * @param maxMcastQpAttach queue pairs in one multicast group
 * @param maxTotalMcastQpAttach queue pairs in all multicast groups together
 * @param maxAh address handles
 * @param maxSrq shared receive queues
 * @param maxSrqWr receives in a shared receive queue
 * @param maxSrqSge scatter entries of a receive in a shared receive queue
 * @param maxPkeys P_Keys of a port
 * @param localCaAckDelay 0..31: the device takes up to 4.096 us * 2^n to acknowledge, to be allowed for in the
 *     peer's {@link AckTimeout}
 * @param physicalPortCount ports, numbered from 1
 * @param completionVectors completion vectors, numbered from 0
 * @param maxInlineData bytes that a send can copy when posted; 0 where only creation of a queue pair tells
 * @param maxFastRegPageListLength pages of one fast registration, 0 without {@link Capability#FAST_REGISTRATION}
 */
public record DeviceAttributes(
        String firmwareVersion,
        Guid nodeGuid,
        Guid systemImageGuid,
        long maxMrSize,
        long pageSizeCap,
        long systemPageSize,
        int vendorId,
        int vendorPartId,
        int hardwareVersion,
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxSgeRd,
        int maxCq,
        int maxCqe,
        int maxMr,
        int maxMw,
        int maxPd,
        int maxQpRdAtom,
        int maxQpInitRdAtom,
        int maxResRdAtom,
        AtomicCapability atomicCapability,
        int maxMcastGroups,
        int maxMcastQpAttach,
        int maxTotalMcastQpAttach,
        int maxAh,
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxPkeys,
        int localCaAckDelay,
        int physicalPortCount,
        int completionVectors,
        int maxInlineData,
        int maxFastRegPageListLength) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public DeviceAttributes {
        ValueChecks.notNegative("maxMrSize", maxMrSize);
        if (systemPageSize < 1 || Long.bitCount(systemPageSize) != 1) {
            throw new IllegalArgumentException("systemPageSize is " + systemPageSize + "; it must be a power of two");
        }
        ValueChecks.notNegative("maxQp", maxQp);
        ValueChecks.notNegative("maxQpWr", maxQpWr);
        ValueChecks.notNegative("maxSge", maxSge);
        ValueChecks.notNegative("maxSgeRd", maxSgeRd);
        ValueChecks.notNegative("maxCq", maxCq);
        ValueChecks.notNegative("maxCqe", maxCqe);
        ValueChecks.notNegative("maxMr", maxMr);
        ValueChecks.notNegative("maxMw", maxMw);
        ValueChecks.notNegative("maxPd", maxPd);
        ValueChecks.notNegative("maxQpRdAtom", maxQpRdAtom);
        ValueChecks.notNegative("maxQpInitRdAtom", maxQpInitRdAtom);
        ValueChecks.notNegative("maxResRdAtom", maxResRdAtom);
        ValueChecks.notNegative("maxMcastGroups", maxMcastGroups);
        ValueChecks.notNegative("maxMcastQpAttach", maxMcastQpAttach);
        ValueChecks.notNegative("maxTotalMcastQpAttach", maxTotalMcastQpAttach);
        ValueChecks.notNegative("maxAh", maxAh);
        ValueChecks.notNegative("maxSrq", maxSrq);
        ValueChecks.notNegative("maxSrqWr", maxSrqWr);
        ValueChecks.notNegative("maxSrqSge", maxSrqSge);
        ValueChecks.notNegative("maxPkeys", maxPkeys);
        ValueChecks.notNegative("maxInlineData", maxInlineData);
        ValueChecks.notNegative("maxFastRegPageListLength", maxFastRegPageListLength);
        ValueChecks.inRange("localCaAckDelay", localCaAckDelay, 0, 31, "it is an exponent");
        ValueChecks.inRange("physicalPortCount", physicalPortCount, 1, 0xFF, "a device has at least one port");
        ValueChecks.inRange("completionVectors", completionVectors, 1, Integer.MAX_VALUE, "a device has at least one");
    }

    /**
     * Starts from a device that has and can nothing: zeros, empty texts and the least of every enum, one port, pages of 4 KiB.
     *
     * @return a new builder
     */
    public static DeviceAttributesBuilder builder() {
        return new DeviceAttributesBuilder();
    }

    /**
     * Starts from these attributes.
     *
     * @return a new builder
     */
    public DeviceAttributesBuilder toBuilder() {
        return new DeviceAttributesBuilder(this);
    }
}
