// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * The GUIDs, vendor ids, versions and limits of a device ({@code struct ibv_device_attr}, {@code ibv_query_device}(3); some
 * values are from {@code struct ibv_context} and the kernel). Immutable.
 *
 * <p>Each limit applies to one type of object alone; the device can run out of memory before it reaches a limit. {@link
 * Device#capabilities()} returns the features of the device.
 *
 * @since 1.0
 */
public final class DeviceAttributes {
    private final String firmwareVersion;
    private final Guid nodeGuid;
    private final Guid systemImageGuid;
    private final long maxMrSize;
    private final long pageSizeCap;
    private final long systemPageSize;
    private final int vendorId;
    private final int vendorPartId;
    private final int hardwareVersion;
    private final int maxQp;
    private final int maxQpWr;
    private final int maxSge;
    private final int maxSgeRd;
    private final int maxCq;
    private final int maxCqe;
    private final int maxMr;
    private final int maxMw;
    private final int maxPd;
    private final int maxQpRdAtom;
    private final int maxQpInitRdAtom;
    private final int maxResRdAtom;
    private final int atomicCapabilityCode;
    private final int maxMcastGroups;
    private final int maxMcastQpAttach;
    private final int maxTotalMcastQpAttach;
    private final int maxAh;
    private final int maxSrq;
    private final int maxSrqWr;
    private final int maxSrqSge;
    private final int maxPkeys;
    private final int localCaAckDelay;
    private final int physicalPortCount;
    private final int completionVectors;
    private final int maxInlineData;
    private final int maxFastRegPageListLength;
    private final long completionTimestampMask;
    private final long hcaCoreClock;
    private final long capabilityFlags;
    private final int maxCqModerationCount;
    private final int maxCqModerationPeriod;
    private final OdpCapabilities odpCapabilities;

    DeviceAttributes(
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
            int atomicCapabilityCode,
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
            int maxFastRegPageListLength,
            long completionTimestampMask,
            long hcaCoreClock,
            long capabilityFlags,
            int maxCqModerationCount,
            int maxCqModerationPeriod,
            OdpCapabilities odpCapabilities) {
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
        this.firmwareVersion = firmwareVersion;
        this.nodeGuid = nodeGuid;
        this.systemImageGuid = systemImageGuid;
        this.maxMrSize = maxMrSize;
        this.pageSizeCap = pageSizeCap;
        this.systemPageSize = systemPageSize;
        this.vendorId = vendorId;
        this.vendorPartId = vendorPartId;
        this.hardwareVersion = hardwareVersion;
        this.maxQp = maxQp;
        this.maxQpWr = maxQpWr;
        this.maxSge = maxSge;
        this.maxSgeRd = maxSgeRd;
        this.maxCq = maxCq;
        this.maxCqe = maxCqe;
        this.maxMr = maxMr;
        this.maxMw = maxMw;
        this.maxPd = maxPd;
        this.maxQpRdAtom = maxQpRdAtom;
        this.maxQpInitRdAtom = maxQpInitRdAtom;
        this.maxResRdAtom = maxResRdAtom;
        this.atomicCapabilityCode = atomicCapabilityCode;
        this.maxMcastGroups = maxMcastGroups;
        this.maxMcastQpAttach = maxMcastQpAttach;
        this.maxTotalMcastQpAttach = maxTotalMcastQpAttach;
        this.maxAh = maxAh;
        this.maxSrq = maxSrq;
        this.maxSrqWr = maxSrqWr;
        this.maxSrqSge = maxSrqSge;
        this.maxPkeys = maxPkeys;
        this.localCaAckDelay = localCaAckDelay;
        this.physicalPortCount = physicalPortCount;
        this.completionVectors = completionVectors;
        this.maxInlineData = maxInlineData;
        this.maxFastRegPageListLength = maxFastRegPageListLength;
        this.completionTimestampMask = completionTimestampMask;
        this.hcaCoreClock = hcaCoreClock;
        this.capabilityFlags = capabilityFlags;
        this.maxCqModerationCount = maxCqModerationCount;
        this.maxCqModerationPeriod = maxCqModerationPeriod;
        this.odpCapabilities = odpCapabilities;
    }

    /**
     * {@return a new builder with one port, one completion vector, pages of 4 KiB, no capability flags, and all other
     * limits zero}
     */
    public static DeviceAttributesBuilder builder() {
        return new DeviceAttributesBuilder();
    }

    /** {@return a new builder with the values of this object} */
    public DeviceAttributesBuilder toBuilder() {
        return new DeviceAttributesBuilder(this);
    }

    /** {@return the firmware version as the device reports it, empty if the device has no firmware} */
    public String firmwareVersion() {
        return firmwareVersion;
    }

    /** {@return the GUID of the device} */
    public Guid nodeGuid() {
        return nodeGuid;
    }

    /** {@return the GUID of the system that contains the device; a system can contain several devices} */
    public Guid systemImageGuid() {
        return systemImageGuid;
    }

    /**
     * {@return the size of the largest memory region in bytes; for a device without a limit, {@link Long#MAX_VALUE}
     * instead of C's 2^64 - 1}
     */
    public long maxMrSize() {
        return maxMrSize;
    }

    /** {@return the page sizes for registration as a bit mask; bit n means pages of 2^n bytes} */
    public long pageSizeCap() {
        return pageSizeCap;
    }

    /**
     * {@return the page size of the system's memory in bytes, a power of two ({@code sysconf(_SC_PAGESIZE)}). The kernel's
     * {@code ib_uverbs_reg_mr()} requires that an iova and the memory have the same offset within a page}
     */
    public long systemPageSize() {
        return systemPageSize;
    }

    /** {@return the IEEE number of the vendor, 24 bits} */
    public int vendorId() {
        return vendorId;
    }

    /** {@return the part number, which the vendor assigns} */
    public int vendorPartId() {
        return vendorPartId;
    }

    /** {@return the hardware version, which the vendor assigns} */
    public int hardwareVersion() {
        return hardwareVersion;
    }

    /** {@return the maximum number of queue pairs} */
    public int maxQp() {
        return maxQp;
    }

    /** {@return the maximum number of outstanding work requests on one work queue of a queue pair} */
    public int maxQpWr() {
        return maxQpWr;
    }

    /** {@return the maximum number of scatter/gather entries of a work request other than RDMA READ} */
    public int maxSge() {
        return maxSge;
    }

    /** {@return the maximum number of scatter entries of an RDMA READ} */
    public int maxSgeRd() {
        return maxSgeRd;
    }

    /** {@return the maximum number of completion queues} */
    public int maxCq() {
        return maxCq;
    }

    /** {@return the maximum capacity of a completion queue} */
    public int maxCqe() {
        return maxCqe;
    }

    /** {@return the maximum number of memory regions} */
    public int maxMr() {
        return maxMr;
    }

    /** {@return the maximum number of memory windows} */
    public int maxMw() {
        return maxMw;
    }

    /** {@return the maximum number of protection domains} */
    public int maxPd() {
        return maxPd;
    }

    /** {@return the maximum number of READs and atomics that a queue pair serves at once as responder} */
    public int maxQpRdAtom() {
        return maxQpRdAtom;
    }

    /** {@return the maximum number of READs and atomics that a queue pair can have outstanding as requester} */
    public int maxQpInitRdAtom() {
        return maxQpInitRdAtom;
    }

    /** {@return the maximum number of READs and atomics that the whole device serves at once as responder} */
    public int maxResRdAtom() {
        return maxResRdAtom;
    }

    /**
     * {@return the scope in which atomics are atomic, {@link AtomicCapability#UNKNOWN} if Verbena does not know the scope}
     */
    public AtomicCapability atomicCapability() {
        return AtomicCapability.of(atomicCapabilityCode);
    }

    /** {@return the device's number for {@link #atomicCapability()}, a value of {@code enum ibv_atomic_cap}} */
    public int atomicCapabilityCode() {
        return atomicCapabilityCode;
    }

    /** {@return the maximum number of multicast groups} */
    public int maxMcastGroups() {
        return maxMcastGroups;
    }

    /** {@return the maximum number of queue pairs in one multicast group} */
    public int maxMcastQpAttach() {
        return maxMcastQpAttach;
    }

    /** {@return the maximum number of queue pairs in all multicast groups together} */
    public int maxTotalMcastQpAttach() {
        return maxTotalMcastQpAttach;
    }

    /** {@return the maximum number of address handles} */
    public int maxAh() {
        return maxAh;
    }

    /** {@return the maximum number of shared receive queues} */
    public int maxSrq() {
        return maxSrq;
    }

    /** {@return the maximum number of receives in a shared receive queue} */
    public int maxSrqWr() {
        return maxSrqWr;
    }

    /** {@return the maximum number of scatter entries of a receive in a shared receive queue} */
    public int maxSrqSge() {
        return maxSrqSge;
    }

    /** {@return the number of entries in the P_Key table of a port} */
    public int maxPkeys() {
        return maxPkeys;
    }

    /**
     * {@return an exponent n, 0..31: the device delays an acknowledgement by at most 4.096 us * 2^n; the peer's
     * {@link AckTimeout} must include this delay}
     */
    public int localCaAckDelay() {
        return localCaAckDelay;
    }

    /** {@return the number of ports; the first port has number 1} */
    public int physicalPortCount() {
        return physicalPortCount;
    }

    /** {@return the number of completion vectors; the first vector has number 0} */
    public int completionVectors() {
        return completionVectors;
    }

    /**
     * {@return the maximum length of inline data in bytes; 0 if the device reports the limit only after a queue pair is
     * created}
     */
    public int maxInlineData() {
        return maxInlineData;
    }

    /** {@return the maximum number of pages in one fast registration, 0 without {@link Capability#FAST_REGISTRATION}} */
    public int maxFastRegPageListLength() {
        return maxFastRegPageListLength;
    }

    /** {@return a bit mask of the valid bits of a completion's timestamp, 0 if the device has no timestamps} */
    public long completionTimestampMask() {
        return completionTimestampMask;
    }

    /** {@return the frequency of the timestamp clock in kHz, 0 if unknown} */
    public long hcaCoreClock() {
        return hcaCoreClock;
    }

    /**
     * {@return the capability bits that the device reports, from {@code enum ibv_device_cap_flags} and the kernel's {@code
     * enum ib_uverbs_device_cap_flags}; 0 if the device reports no bits, which is usual for software devices. A program
     * should test {@link Device#capabilities()}, not the capability bits}
     */
    public long capabilityFlags() {
        return capabilityFlags;
    }

    /** {@return the maximum {@code count} parameter of {@link CompletionQueue#moderate}, 0 if the device reports no limit} */
    public int maxCqModerationCount() {
        return maxCqModerationCount;
    }

    /**
     * {@return the maximum {@code period} parameter of {@link CompletionQueue#moderate} in microseconds, 0 if the device
     * reports no limit}
     */
    public int maxCqModerationPeriod() {
        return maxCqModerationPeriod;
    }

    /**
     * {@return the operations that may access regions with {@link AccessFlag#ON_DEMAND} ({@code ibv_query_device_ex}(3),
     * {@code odp_caps}); {@link OdpCapabilities#NONE} if the device lacks {@link Capability#ON_DEMAND_PAGING}}
     */
    public OdpCapabilities odpCapabilities() {
        return odpCapabilities;
    }

    private Components components() {
        return new Components()
                .with("firmwareVersion", firmwareVersion)
                .with("nodeGuid", nodeGuid)
                .with("systemImageGuid", systemImageGuid)
                .with("maxMrSize", maxMrSize)
                .with("pageSizeCap", pageSizeCap)
                .with("systemPageSize", systemPageSize)
                .with("vendorId", vendorId)
                .with("vendorPartId", vendorPartId)
                .with("hardwareVersion", hardwareVersion)
                .with("maxQp", maxQp)
                .with("maxQpWr", maxQpWr)
                .with("maxSge", maxSge)
                .with("maxSgeRd", maxSgeRd)
                .with("maxCq", maxCq)
                .with("maxCqe", maxCqe)
                .with("maxMr", maxMr)
                .with("maxMw", maxMw)
                .with("maxPd", maxPd)
                .with("maxQpRdAtom", maxQpRdAtom)
                .with("maxQpInitRdAtom", maxQpInitRdAtom)
                .with("maxResRdAtom", maxResRdAtom)
                .with("atomicCapability", atomicCapability())
                .with("atomicCapabilityCode", atomicCapabilityCode)
                .with("maxMcastGroups", maxMcastGroups)
                .with("maxMcastQpAttach", maxMcastQpAttach)
                .with("maxTotalMcastQpAttach", maxTotalMcastQpAttach)
                .with("maxAh", maxAh)
                .with("maxSrq", maxSrq)
                .with("maxSrqWr", maxSrqWr)
                .with("maxSrqSge", maxSrqSge)
                .with("maxPkeys", maxPkeys)
                .with("localCaAckDelay", localCaAckDelay)
                .with("physicalPortCount", physicalPortCount)
                .with("completionVectors", completionVectors)
                .with("maxInlineData", maxInlineData)
                .with("maxFastRegPageListLength", maxFastRegPageListLength)
                .with("completionTimestampMask", completionTimestampMask)
                .with("hcaCoreClock", hcaCoreClock)
                .with("capabilityFlags", capabilityFlags)
                .with("maxCqModerationCount", maxCqModerationCount)
                .with("maxCqModerationPeriod", maxCqModerationPeriod)
                .with("odpCapabilities", odpCapabilities);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DeviceAttributes attributes && components().equals(attributes.components());
    }

    @Override
    public int hashCode() {
        return components().hashCode();
    }

    @Override
    public String toString() {
        return "DeviceAttributes" + components();
    }
}
