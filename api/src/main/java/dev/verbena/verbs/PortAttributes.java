// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * The properties and the state of a port ({@code struct ibv_port_attr}, {@code ibv_query_port}(3)). An immutable
 * snapshot.
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

    /**
     * Starts from a port that is down: no LID, one P_Key, MTU 4096, messages of up to 2^31 bytes.
     *
     * @return a new builder
     */
    public static PortAttributesBuilder builder() {
        return new PortAttributesBuilder();
    }

    /**
     * Starts from these attributes.
     *
     * @return a new builder
     */
    public PortAttributesBuilder toBuilder() {
        return new PortAttributesBuilder(this);
    }

    /** {@return logical state; data flows in {@link PortState#ACTIVE} only} */
    public PortState state() {
        return PortState.of(stateCode);
    }

    /** {@return the number of {@link #state()} that the device reported} */
    public int stateCode() {
        return stateCode;
    }

    /** {@return state of the link} */
    public PhysicalPortState physicalState() {
        return PhysicalPortState.of(physicalStateCode);
    }

    /** {@return the number of {@link #physicalState()} that the device reported} */
    public int physicalStateCode() {
        return physicalStateCode;
    }

    /** {@return largest MTU of the device, {@link PathMtu#MTU_4096} if this release does not know it because it is larger} */
    public PathMtu maxMtu() {
        return mtu(maxMtuCode);
    }

    /** {@return the number of {@code enum ibv_mtu} that the device reported} */
    public int maxMtuCode() {
        return maxMtuCode;
    }

    /**
     * {@return largest MTU that the link carries now, {@link PathMtu#MTU_4096} if this release does not know it because it is larger;
     * bounds path MTUs and UD messages}
     */
    public PathMtu activeMtu() {
        return mtu(activeMtuCode);
    }

    /** {@return the number of {@code enum ibv_mtu} that the device reported} */
    public int activeMtuCode() {
        return activeMtuCode;
    }

    /** {@return slots of the GID table, used or not} */
    public int gidTableLength() {
        return gidTableLength;
    }

    /** {@return slots of the P_Key table} */
    public int pkeyTableLength() {
        return pkeyTableLength;
    }

    /** {@return bytes of the longest message} */
    public long maxMessageSize() {
        return maxMessageSize;
    }

    /** {@return 0..0xFFFF, the port's LID; 0 on Ethernet or before the subnet manager gave one} */
    public int lid() {
        return lid;
    }

    /** {@return 0..0xFFFF, LID of the subnet manager; 0 on Ethernet} */
    public int smLid() {
        return smLid;
    }

    /** {@return 0..7, the port answers to 2^lmc LIDs} */
    public int lmc() {
        return lmc;
    }

    /** {@return 0..15, service level to reach the subnet manager} */
    public int smSl() {
        return smSl;
    }

    /** {@return the link layer, which decides how peers are addressed} */
    public LinkLayer linkLayer() {
        return LinkLayer.of(linkLayerCode);
    }

    /** {@return the number of {@link #linkLayer()} that the device reported} */
    public int linkLayerCode() {
        return linkLayerCode;
    }

    /** {@return bits of PortInfo:CapabilityMask ({@code enum ibv_port_cap_flags})} */
    public int capabilityFlags() {
        return capabilityFlags;
    }

    /** {@return 0..0xFFFF, packets refused for their P_Key; sticks at the top} */
    public int badPkeyCounter() {
        return badPkeyCounter;
    }

    /** {@return 0..0xFFFF, packets refused for their Q_Key; sticks at the top} */
    public int qkeyViolationCounter() {
        return qkeyViolationCounter;
    }

    /** {@return width times lane speed, in Mbit/s; 0 if not told, or if this release does not know the speed or the width} */
    public long activeSpeedMbps() {
        return activeSpeedMbps;
    }

    /** {@return the speed of a lane as the device reported it: {@code active_speed_ex}, or {@code active_speed} where that is 0} */
    public int activeSpeedCode() {
        return activeSpeedCode;
    }

    /** {@return the width of the link as the device reported it, {@code active_width}} */
    public int activeWidthCode() {
        return activeWidthCode;
    }

    /** {@return 0..31: a packet needs up to 4.096 us * 2^n through the subnet} */
    public int subnetTimeout() {
        return subnetTimeout;
    }

    /** {@return whether every address needs a global route also on InfiniBand ({@code IBV_QPF_GRH_REQUIRED})} */
    public boolean grhRequired() {
        return grhRequired;
    }

    /** A link of a larger MTU, which later releases may know, carries every smaller one. */
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
