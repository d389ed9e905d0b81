// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * The properties and the state of a port ({@code struct ibv_port_attr}, {@code ibv_query_port}(3)), an immutable snapshot.
 *
 * @since 1.0
 */
public final class PortAttributes {
    private final int stateCode;
    private final int physicalStateCode;
    private final int maxMtuCode;
    private final int activeMtuCode;
    private final int gidTableLength;
    private final int pkeyTableLength;
    private final long maxMessageSize;
    private final int lid;
    private final int smLid;
    private final int lmc;
    private final int smSl;
    private final int linkLayerCode;
    private final int capabilityFlags;
    private final int badPkeyCounter;
    private final int qkeyViolationCounter;
    private final long activeSpeedMbps;
    private final int activeSpeedCode;
    private final int activeWidthCode;
    private final int subnetTimeout;
    private final boolean grhRequired;

    PortAttributes(
            int stateCode,
            int physicalStateCode,
            int maxMtuCode,
            int activeMtuCode,
            int gidTableLength,
            int pkeyTableLength,
            long maxMessageSize,
            int lid,
            int smLid,
            int lmc,
            int smSl,
            int linkLayerCode,
            int capabilityFlags,
            int badPkeyCounter,
            int qkeyViolationCounter,
            long activeSpeedMbps,
            int activeSpeedCode,
            int activeWidthCode,
            int subnetTimeout,
            boolean grhRequired) {
        ValueChecks.notNegative("gidTableLength", gidTableLength);
        ValueChecks.notNegative("pkeyTableLength", pkeyTableLength);
        ValueChecks.notNegative("maxMessageSize", maxMessageSize);
        ValueChecks.inRange("lid", lid, 0, 0xFFFF, "use 0 on Ethernet");
        ValueChecks.inRange("smLid", smLid, 0, 0xFFFF, "use 0 on Ethernet");
        ValueChecks.inRange("lmc", lmc, 0, 7, "the field has 3 bits");
        ValueChecks.inRange("smSl", smSl, 0, 15, "the field has 4 bits");
        ValueChecks.inRange("badPkeyCounter", badPkeyCounter, 0, 0xFFFF, "saturate the counter");
        ValueChecks.inRange("qkeyViolationCounter", qkeyViolationCounter, 0, 0xFFFF, "saturate the counter");
        ValueChecks.notNegative("activeSpeedMbps", activeSpeedMbps);
        ValueChecks.inRange("subnetTimeout", subnetTimeout, 0, 31, "it is an exponent");
        this.stateCode = stateCode;
        this.physicalStateCode = physicalStateCode;
        this.maxMtuCode = maxMtuCode;
        this.activeMtuCode = activeMtuCode;
        this.gidTableLength = gidTableLength;
        this.pkeyTableLength = pkeyTableLength;
        this.maxMessageSize = maxMessageSize;
        this.lid = lid;
        this.smLid = smLid;
        this.lmc = lmc;
        this.smSl = smSl;
        this.linkLayerCode = linkLayerCode;
        this.capabilityFlags = capabilityFlags;
        this.badPkeyCounter = badPkeyCounter;
        this.qkeyViolationCounter = qkeyViolationCounter;
        this.activeSpeedMbps = activeSpeedMbps;
        this.activeSpeedCode = activeSpeedCode;
        this.activeWidthCode = activeWidthCode;
        this.subnetTimeout = subnetTimeout;
        this.grhRequired = grhRequired;
    }

    /** {@return a new builder of a port that is down, without LID, with one P_Key, MTU 4096 and messages of up to 2^31 bytes} */
    public static PortAttributesBuilder builder() {
        return new PortAttributesBuilder();
    }

    /** {@return a new builder with the values of this object} */
    public PortAttributesBuilder toBuilder() {
        return new PortAttributesBuilder(this);
    }

    /** {@return the logical state; the port transfers data only in {@link PortState#ACTIVE}} */
    public PortState state() {
        return PortState.of(stateCode);
    }

    /** {@return the number that the device reported for {@link #state()}} */
    public int stateCode() {
        return stateCode;
    }

    /** {@return the physical state of the port's link} */
    public PhysicalPortState physicalState() {
        return PhysicalPortState.of(physicalStateCode);
    }

    /** {@return the number that the device reported for {@link #physicalState()}} */
    public int physicalStateCode() {
        return physicalStateCode;
    }

    /**
     * {@return the maximum path MTU of the device, or {@link PathMtu#MTU_4096} for a larger MTU, which Verbena does not
     * know}
     */
    public PathMtu maxMtu() {
        return mtu(maxMtuCode);
    }

    /** {@return the number that the device reported for {@link #maxMtu()}, a value of {@code enum ibv_mtu}} */
    public int maxMtuCode() {
        return maxMtuCode;
    }

    /**
     * {@return the present MTU of the link, which also limits the size of a UD message. For an MTU above 4096 bytes, the
     * method returns {@link PathMtu#MTU_4096}, the largest MTU that Verbena knows}
     */
    public PathMtu activeMtu() {
        return mtu(activeMtuCode);
    }

    /** {@return the number that the device reported for {@link #activeMtu()}, a value of {@code enum ibv_mtu}} */
    public int activeMtuCode() {
        return activeMtuCode;
    }

    /** {@return the number of entries of the port's GID table, including unused entries} */
    public int gidTableLength() {
        return gidTableLength;
    }

    /** {@return the number of entries of the port's P_Key table} */
    public int pkeyTableLength() {
        return pkeyTableLength;
    }

    /** {@return the maximum length of a message in bytes} */
    public long maxMessageSize() {
        return maxMessageSize;
    }

    /** {@return the port's LID, 0..0xFFFF; 0 on Ethernet or before the subnet manager has assigned a LID} */
    public int lid() {
        return lid;
    }

    /** {@return the LID of the subnet manager, 0..0xFFFF; 0 on Ethernet} */
    public int smLid() {
        return smLid;
    }

    /** {@return the LID mask control, 0..7: the port receives packets for 2^lmc LIDs} */
    public int lmc() {
        return lmc;
    }

    /** {@return the service level of packets to the subnet manager, 0..15} */
    public int smSl() {
        return smSl;
    }

    /** {@return the link layer of the port; the link layer determines the kind of address that a peer has} */
    public LinkLayer linkLayer() {
        return LinkLayer.of(linkLayerCode);
    }

    /** {@return the number that the device reported for {@link #linkLayer()}} */
    public int linkLayerCode() {
        return linkLayerCode;
    }

    /** {@return the bits of PortInfo:CapabilityMask ({@code enum ibv_port_cap_flags})} */
    public int capabilityFlags() {
        return capabilityFlags;
    }

    /** {@return the number of packets refused because of their P_Key; the counter stops at 0xFFFF} */
    public int badPkeyCounter() {
        return badPkeyCounter;
    }

    /** {@return the number of packets refused because of their Q_Key; the counter stops at 0xFFFF} */
    public int qkeyViolationCounter() {
        return qkeyViolationCounter;
    }

    /** {@return the speed of the link in Mbit/s, the width times the lane speed; 0 if the width or the lane speed is unknown} */
    public long activeSpeedMbps() {
        return activeSpeedMbps;
    }

    /** {@return the lane speed that the device reported: {@code active_speed_ex} if not 0, otherwise {@code active_speed}} */
    public int activeSpeedCode() {
        return activeSpeedCode;
    }

    /** {@return the link width that the device reported ({@code active_width})} */
    public int activeWidthCode() {
        return activeWidthCode;
    }

    /** {@return the exponent n, 0..31, of the subnet timeout: a packet takes at most 4.096 us * 2^n through the subnet} */
    public int subnetTimeout() {
        return subnetTimeout;
    }

    /** {@return whether every address needs a global route, also on InfiniBand ({@code IBV_QPF_GRH_REQUIRED})} */
    public boolean grhRequired() {
        return grhRequired;
    }

    /** Returns MTU_4096 for a number above 5, because a link with a larger MTU also supports an MTU of 4096. */
    private static PathMtu mtu(int code) {
        PathMtu[] all = PathMtu.values();
        return all[Math.clamp(code - 1L, 0, all.length - 1)];
    }

    private Components components() {
        return new Components()
                .with("state", state())
                .with("stateCode", stateCode)
                .with("physicalState", physicalState())
                .with("physicalStateCode", physicalStateCode)
                .with("maxMtu", maxMtu())
                .with("maxMtuCode", maxMtuCode)
                .with("activeMtu", activeMtu())
                .with("activeMtuCode", activeMtuCode)
                .with("gidTableLength", gidTableLength)
                .with("pkeyTableLength", pkeyTableLength)
                .with("maxMessageSize", maxMessageSize)
                .with("lid", lid)
                .with("smLid", smLid)
                .with("lmc", lmc)
                .with("smSl", smSl)
                .with("linkLayer", linkLayer())
                .with("linkLayerCode", linkLayerCode)
                .with("capabilityFlags", capabilityFlags)
                .with("badPkeyCounter", badPkeyCounter)
                .with("qkeyViolationCounter", qkeyViolationCounter)
                .with("activeSpeedMbps", activeSpeedMbps)
                .with("activeSpeedCode", activeSpeedCode)
                .with("activeWidthCode", activeWidthCode)
                .with("subnetTimeout", subnetTimeout)
                .with("grhRequired", grhRequired);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PortAttributes attributes && components().equals(attributes.components());
    }

    @Override
    public int hashCode() {
        return components().hashCode();
    }

    @Override
    public String toString() {
        return "PortAttributes" + components();
    }
}
