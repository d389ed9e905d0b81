// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Collects {@link DeviceAttributes}. The setter and the getter of an attribute have the same name. The Javadoc of the
 * getter describes the attribute. Not thread-safe.
 *
 * @since 1.0
 */
public final class DeviceAttributesBuilder {
    private String firmwareVersion = "";
    private Guid nodeGuid = new Guid(0);
    private Guid systemImageGuid = new Guid(0);
    private long maxMrSize;
    private long pageSizeCap;
    private long systemPageSize = 4096;
    private int vendorId;
    private int vendorPartId;
    private int hardwareVersion;
    private int maxQp;
    private int maxQpWr;
    private int maxSge;
    private int maxSgeRd;
    private int maxCq;
    private int maxCqe;
    private int maxMr;
    private int maxMw;
    private int maxPd;
    private int maxQpRdAtom;
    private int maxQpInitRdAtom;
    private int maxResRdAtom;
    private int atomicCapabilityCode = AtomicCapability.NONE.code();
    private int maxMcastGroups;
    private int maxMcastQpAttach;
    private int maxTotalMcastQpAttach;
    private int maxAh;
    private int maxSrq;
    private int maxSrqWr;
    private int maxSrqSge;
    private int maxPkeys;
    private int localCaAckDelay;
    private int physicalPortCount = 1;
    private int completionVectors = 1;
    private int maxInlineData;
    private int maxFastRegPageListLength;
    private long completionTimestampMask;
    private long hcaCoreClock;
    private long capabilityFlags;
    private int maxCqModerationCount;
    private int maxCqModerationPeriod;
    private OdpCapabilities odpCapabilities = OdpCapabilities.NONE;

    DeviceAttributesBuilder() {}

    DeviceAttributesBuilder(DeviceAttributes from) {
        firmwareVersion = from.firmwareVersion();
        nodeGuid = from.nodeGuid();
        systemImageGuid = from.systemImageGuid();
        maxMrSize = from.maxMrSize();
        pageSizeCap = from.pageSizeCap();
        systemPageSize = from.systemPageSize();
        vendorId = from.vendorId();
        vendorPartId = from.vendorPartId();
        hardwareVersion = from.hardwareVersion();
        maxQp = from.maxQp();
        maxQpWr = from.maxQpWr();
        maxSge = from.maxSge();
        maxSgeRd = from.maxSgeRd();
        maxCq = from.maxCq();
        maxCqe = from.maxCqe();
        maxMr = from.maxMr();
        maxMw = from.maxMw();
        maxPd = from.maxPd();
        maxQpRdAtom = from.maxQpRdAtom();
        maxQpInitRdAtom = from.maxQpInitRdAtom();
        maxResRdAtom = from.maxResRdAtom();
        atomicCapabilityCode = from.atomicCapabilityCode();
        maxMcastGroups = from.maxMcastGroups();
        maxMcastQpAttach = from.maxMcastQpAttach();
        maxTotalMcastQpAttach = from.maxTotalMcastQpAttach();
        maxAh = from.maxAh();
        maxSrq = from.maxSrq();
        maxSrqWr = from.maxSrqWr();
        maxSrqSge = from.maxSrqSge();
        maxPkeys = from.maxPkeys();
        localCaAckDelay = from.localCaAckDelay();
        physicalPortCount = from.physicalPortCount();
        completionVectors = from.completionVectors();
        maxInlineData = from.maxInlineData();
        maxFastRegPageListLength = from.maxFastRegPageListLength();
        completionTimestampMask = from.completionTimestampMask();
        hcaCoreClock = from.hcaCoreClock();
        capabilityFlags = from.capabilityFlags();
        maxCqModerationCount = from.maxCqModerationCount();
        maxCqModerationPeriod = from.maxCqModerationPeriod();
        odpCapabilities = from.odpCapabilities();
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#firmwareVersion()}
     */
    public DeviceAttributesBuilder firmwareVersion(String value) {
        this.firmwareVersion = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#nodeGuid()}
     */
    public DeviceAttributesBuilder nodeGuid(Guid value) {
        this.nodeGuid = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#systemImageGuid()}
     */
    public DeviceAttributesBuilder systemImageGuid(Guid value) {
        this.systemImageGuid = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxMrSize()}
     */
    public DeviceAttributesBuilder maxMrSize(long value) {
        this.maxMrSize = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#pageSizeCap()}
     */
    public DeviceAttributesBuilder pageSizeCap(long value) {
        this.pageSizeCap = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#systemPageSize()}
     */
    public DeviceAttributesBuilder systemPageSize(long value) {
        this.systemPageSize = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#vendorId()}
     */
    public DeviceAttributesBuilder vendorId(int value) {
        this.vendorId = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#vendorPartId()}
     */
    public DeviceAttributesBuilder vendorPartId(int value) {
        this.vendorPartId = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#hardwareVersion()}
     */
    public DeviceAttributesBuilder hardwareVersion(int value) {
        this.hardwareVersion = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxQp()}
     */
    public DeviceAttributesBuilder maxQp(int value) {
        this.maxQp = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxQpWr()}
     */
    public DeviceAttributesBuilder maxQpWr(int value) {
        this.maxQpWr = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxSge()}
     */
    public DeviceAttributesBuilder maxSge(int value) {
        this.maxSge = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxSgeRd()}
     */
    public DeviceAttributesBuilder maxSgeRd(int value) {
        this.maxSgeRd = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxCq()}
     */
    public DeviceAttributesBuilder maxCq(int value) {
        this.maxCq = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxCqe()}
     */
    public DeviceAttributesBuilder maxCqe(int value) {
        this.maxCqe = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxMr()}
     */
    public DeviceAttributesBuilder maxMr(int value) {
        this.maxMr = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxMw()}
     */
    public DeviceAttributesBuilder maxMw(int value) {
        this.maxMw = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxPd()}
     */
    public DeviceAttributesBuilder maxPd(int value) {
        this.maxPd = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxQpRdAtom()}
     */
    public DeviceAttributesBuilder maxQpRdAtom(int value) {
        this.maxQpRdAtom = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxQpInitRdAtom()}
     */
    public DeviceAttributesBuilder maxQpInitRdAtom(int value) {
        this.maxQpInitRdAtom = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxResRdAtom()}
     */
    public DeviceAttributesBuilder maxResRdAtom(int value) {
        this.maxResRdAtom = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#atomicCapability()}
     */
    public DeviceAttributesBuilder atomicCapability(AtomicCapability value) {
        return atomicCapabilityCode(value.code());
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#atomicCapabilityCode()}
     */
    public DeviceAttributesBuilder atomicCapabilityCode(int value) {
        this.atomicCapabilityCode = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxMcastGroups()}
     */
    public DeviceAttributesBuilder maxMcastGroups(int value) {
        this.maxMcastGroups = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxMcastQpAttach()}
     */
    public DeviceAttributesBuilder maxMcastQpAttach(int value) {
        this.maxMcastQpAttach = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxTotalMcastQpAttach()}
     */
    public DeviceAttributesBuilder maxTotalMcastQpAttach(int value) {
        this.maxTotalMcastQpAttach = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxAh()}
     */
    public DeviceAttributesBuilder maxAh(int value) {
        this.maxAh = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxSrq()}
     */
    public DeviceAttributesBuilder maxSrq(int value) {
        this.maxSrq = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxSrqWr()}
     */
    public DeviceAttributesBuilder maxSrqWr(int value) {
        this.maxSrqWr = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxSrqSge()}
     */
    public DeviceAttributesBuilder maxSrqSge(int value) {
        this.maxSrqSge = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxPkeys()}
     */
    public DeviceAttributesBuilder maxPkeys(int value) {
        this.maxPkeys = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#localCaAckDelay()}
     */
    public DeviceAttributesBuilder localCaAckDelay(int value) {
        this.localCaAckDelay = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#physicalPortCount()}
     */
    public DeviceAttributesBuilder physicalPortCount(int value) {
        this.physicalPortCount = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#completionVectors()}
     */
    public DeviceAttributesBuilder completionVectors(int value) {
        this.completionVectors = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxInlineData()}
     */
    public DeviceAttributesBuilder maxInlineData(int value) {
        this.maxInlineData = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxFastRegPageListLength()}
     */
    public DeviceAttributesBuilder maxFastRegPageListLength(int value) {
        this.maxFastRegPageListLength = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#completionTimestampMask()}
     */
    public DeviceAttributesBuilder completionTimestampMask(long value) {
        this.completionTimestampMask = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#hcaCoreClock()}
     */
    public DeviceAttributesBuilder hcaCoreClock(long value) {
        this.hcaCoreClock = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#capabilityFlags()}
     */
    public DeviceAttributesBuilder capabilityFlags(long value) {
        this.capabilityFlags = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxCqModerationCount()}
     */
    public DeviceAttributesBuilder maxCqModerationCount(int value) {
        this.maxCqModerationCount = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#maxCqModerationPeriod()}
     */
    public DeviceAttributesBuilder maxCqModerationPeriod(int value) {
        this.maxCqModerationPeriod = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link DeviceAttributes#odpCapabilities()}
     */
    public DeviceAttributesBuilder odpCapabilities(OdpCapabilities value) {
        this.odpCapabilities = value;
        return this;
    }

    /**
     * {@return the attributes}
     *
     * @throws IllegalArgumentException if one of the attributes is out of range
     */
    public DeviceAttributes build() {
        return new DeviceAttributes(
                firmwareVersion,
                nodeGuid,
                systemImageGuid,
                maxMrSize,
                pageSizeCap,
                systemPageSize,
                vendorId,
                vendorPartId,
                hardwareVersion,
                maxQp,
                maxQpWr,
                maxSge,
                maxSgeRd,
                maxCq,
                maxCqe,
                maxMr,
                maxMw,
                maxPd,
                maxQpRdAtom,
                maxQpInitRdAtom,
                maxResRdAtom,
                atomicCapabilityCode,
                maxMcastGroups,
                maxMcastQpAttach,
                maxTotalMcastQpAttach,
                maxAh,
                maxSrq,
                maxSrqWr,
                maxSrqSge,
                maxPkeys,
                localCaAckDelay,
                physicalPortCount,
                completionVectors,
                maxInlineData,
                maxFastRegPageListLength,
                completionTimestampMask,
                hcaCoreClock,
                capabilityFlags,
                maxCqModerationCount,
                maxCqModerationPeriod,
                odpCapabilities);
    }
}
