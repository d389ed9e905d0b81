// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Collects {@link PortAttributes}. The setter and the getter of an attribute have the same name. The getter describes
 * the attribute. Not thread-safe.
 *
 * @since 1.0
 */
public final class PortAttributesBuilder {
    private int stateCode = PortState.DOWN.code();
    private int physicalStateCode = PhysicalPortState.DISABLED.code();
    private int maxMtuCode = PathMtu.MTU_4096.code();
    private int activeMtuCode = PathMtu.MTU_4096.code();
    private int gidTableLength;
    private int pkeyTableLength = 1;
    private long maxMessageSize = 1L << 31;
    private int lid;
    private int smLid;
    private int lmc;
    private int smSl;
    private int linkLayerCode = LinkLayer.UNSPECIFIED.code();
    private int capabilityFlags;
    private int badPkeyCounter;
    private int qkeyViolationCounter;
    private long activeSpeedMbps;
    private int activeSpeedCode;
    private int activeWidthCode;
    private int subnetTimeout;
    private boolean grhRequired;

    PortAttributesBuilder() {}

    PortAttributesBuilder(PortAttributes from) {
        stateCode = from.stateCode();
        physicalStateCode = from.physicalStateCode();
        maxMtuCode = from.maxMtuCode();
        activeMtuCode = from.activeMtuCode();
        gidTableLength = from.gidTableLength();
        pkeyTableLength = from.pkeyTableLength();
        maxMessageSize = from.maxMessageSize();
        lid = from.lid();
        smLid = from.smLid();
        lmc = from.lmc();
        smSl = from.smSl();
        linkLayerCode = from.linkLayerCode();
        capabilityFlags = from.capabilityFlags();
        badPkeyCounter = from.badPkeyCounter();
        qkeyViolationCounter = from.qkeyViolationCounter();
        activeSpeedMbps = from.activeSpeedMbps();
        activeSpeedCode = from.activeSpeedCode();
        activeWidthCode = from.activeWidthCode();
        subnetTimeout = from.subnetTimeout();
        grhRequired = from.grhRequired();
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#state()}
     */
    public PortAttributesBuilder state(PortState value) {
        return stateCode(value.code());
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#stateCode()}
     */
    public PortAttributesBuilder stateCode(int value) {
        this.stateCode = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#physicalState()}
     */
    public PortAttributesBuilder physicalState(PhysicalPortState value) {
        return physicalStateCode(value.code());
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#physicalStateCode()}
     */
    public PortAttributesBuilder physicalStateCode(int value) {
        this.physicalStateCode = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#maxMtu()}
     */
    public PortAttributesBuilder maxMtu(PathMtu value) {
        return maxMtuCode(value.code());
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#maxMtuCode()}
     */
    public PortAttributesBuilder maxMtuCode(int value) {
        this.maxMtuCode = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#activeMtu()}
     */
    public PortAttributesBuilder activeMtu(PathMtu value) {
        return activeMtuCode(value.code());
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#activeMtuCode()}
     */
    public PortAttributesBuilder activeMtuCode(int value) {
        this.activeMtuCode = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#gidTableLength()}
     */
    public PortAttributesBuilder gidTableLength(int value) {
        this.gidTableLength = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#pkeyTableLength()}
     */
    public PortAttributesBuilder pkeyTableLength(int value) {
        this.pkeyTableLength = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#maxMessageSize()}
     */
    public PortAttributesBuilder maxMessageSize(long value) {
        this.maxMessageSize = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#lid()}
     */
    public PortAttributesBuilder lid(int value) {
        this.lid = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#smLid()}
     */
    public PortAttributesBuilder smLid(int value) {
        this.smLid = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#lmc()}
     */
    public PortAttributesBuilder lmc(int value) {
        this.lmc = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#smSl()}
     */
    public PortAttributesBuilder smSl(int value) {
        this.smSl = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#linkLayer()}
     */
    public PortAttributesBuilder linkLayer(LinkLayer value) {
        return linkLayerCode(value.code());
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#linkLayerCode()}
     */
    public PortAttributesBuilder linkLayerCode(int value) {
        this.linkLayerCode = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#capabilityFlags()}
     */
    public PortAttributesBuilder capabilityFlags(int value) {
        this.capabilityFlags = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#badPkeyCounter()}
     */
    public PortAttributesBuilder badPkeyCounter(int value) {
        this.badPkeyCounter = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#qkeyViolationCounter()}
     */
    public PortAttributesBuilder qkeyViolationCounter(int value) {
        this.qkeyViolationCounter = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#activeSpeedMbps()}
     */
    public PortAttributesBuilder activeSpeedMbps(long value) {
        this.activeSpeedMbps = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#activeSpeedCode()}
     */
    public PortAttributesBuilder activeSpeedCode(int value) {
        this.activeSpeedCode = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#activeWidthCode()}
     */
    public PortAttributesBuilder activeWidthCode(int value) {
        this.activeWidthCode = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#subnetTimeout()}
     */
    public PortAttributesBuilder subnetTimeout(int value) {
        this.subnetTimeout = value;
        return this;
    }

    /**
     * {@return this builder}
     * @param value {@link PortAttributes#grhRequired()}
     */
    public PortAttributesBuilder grhRequired(boolean value) {
        this.grhRequired = value;
        return this;
    }

    /**
     * {@return the attributes}
     *
     * @throws IllegalArgumentException if one of the attributes is out of range
     */
    public PortAttributes build() {
        return new PortAttributes(
                stateCode,
                physicalStateCode,
                maxMtuCode,
                activeMtuCode,
                gidTableLength,
                pkeyTableLength,
                maxMessageSize,
                lid,
                smLid,
                lmc,
                smSl,
                linkLayerCode,
                capabilityFlags,
                badPkeyCounter,
                qkeyViolationCounter,
                activeSpeedMbps,
                activeSpeedCode,
                activeWidthCode,
                subnetTimeout,
                grhRequired);
    }
}
