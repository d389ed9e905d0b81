package dev.verbena.verbs;

/**
 * What a port is and in which state ({@code struct ibv_port_attr}, {@code ibv_query_port}(3)). An immutable snapshot.
 *
 * @param state logical state; data flows in {@link PortState#ACTIVE} only
 * @param physicalState state of the link
 * @param maxMtu largest MTU of the device
 * @param activeMtu largest MTU that the link carries now; bounds path MTUs and UD messages
 * @param gidTableLength slots of the GID table, used or not
 * @param pkeyTableLength slots of the P_Key table
 * @param maxMessageSize bytes of the longest message
 * @param lid 0..0xFFFF, the port's LID; 0 on Ethernet or before the subnet manager gave one
 * @param smLid 0..0xFFFF, LID of the subnet manager; 0 on Ethernet
 * @param lmc 0..7, the port answers to 2^lmc LIDs
 * @param smSl 0..15, service level to reach the subnet manager
 * @param linkLayer what lies below, which decides how peers are addressed
 * @param capabilityFlags bits of PortInfo:CapabilityMask ({@code enum ibv_port_cap_flags})
 * @param badPkeyCounter 0..0xFFFF, packets refused for their P_Key; sticks at the top
 * @param qkeyViolationCounter 0..0xFFFF, packets refused for their Q_Key; sticks at the top
 * @param activeSpeedMbps width times lane speed, in Mbit/s; 0 if not known
 * @param subnetTimeout 0..31: a packet needs up to 4.096 us * 2^n through the subnet
 * @param grhRequired whether every address needs a global route also on InfiniBand ({@code IBV_QPF_GRH_REQUIRED})
 */
public record PortAttributes(
        PortState state,
        PhysicalPortState physicalState,
        PathMtu maxMtu,
        PathMtu activeMtu,
        int gidTableLength,
        int pkeyTableLength,
        long maxMessageSize,
        int lid,
        int smLid,
        int lmc,
        int smSl,
        LinkLayer linkLayer,
        int capabilityFlags,
        int badPkeyCounter,
        int qkeyViolationCounter,
        long activeSpeedMbps,
        int subnetTimeout,
        boolean grhRequired) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public PortAttributes {
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
    }

    /**
     * Starts from a port that is down: no LID, one P_Key, MTU 4096, messages of up to 2^31 bytes.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Starts from these attributes.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.state = state;
        builder.physicalState = physicalState;
        builder.maxMtu = maxMtu;
        builder.activeMtu = activeMtu;
        builder.gidTableLength = gidTableLength;
        builder.pkeyTableLength = pkeyTableLength;
        builder.maxMessageSize = maxMessageSize;
        builder.lid = lid;
        builder.smLid = smLid;
        builder.lmc = lmc;
        builder.smSl = smSl;
        builder.linkLayer = linkLayer;
        builder.capabilityFlags = capabilityFlags;
        builder.badPkeyCounter = badPkeyCounter;
        builder.qkeyViolationCounter = qkeyViolationCounter;
        builder.activeSpeedMbps = activeSpeedMbps;
        builder.subnetTimeout = subnetTimeout;
        builder.grhRequired = grhRequired;
        return builder;
    }

    /** Collects the attributes, each documented at the record component of its name; not thread-safe. */
    public static final class Builder {
        private PortState state = PortState.DOWN;
        private PhysicalPortState physicalState = PhysicalPortState.DISABLED;
        private PathMtu maxMtu = PathMtu.MTU_4096;
        private PathMtu activeMtu = PathMtu.MTU_4096;
        private int gidTableLength;
        private int pkeyTableLength = 1;
        private long maxMessageSize = 1L << 31;
        private int lid;
        private int smLid;
        private int lmc;
        private int smSl;
        private LinkLayer linkLayer = LinkLayer.UNSPECIFIED;
        private int capabilityFlags;
        private int badPkeyCounter;
        private int qkeyViolationCounter;
        private long activeSpeedMbps;
        private int subnetTimeout;
        private boolean grhRequired;

        private Builder() {}

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#state()}
         */
        public Builder state(PortState value) {
            this.state = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#physicalState()}
         */
        public Builder physicalState(PhysicalPortState value) {
            this.physicalState = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#maxMtu()}
         */
        public Builder maxMtu(PathMtu value) {
            this.maxMtu = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#activeMtu()}
         */
        public Builder activeMtu(PathMtu value) {
            this.activeMtu = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#gidTableLength()}
         */
        public Builder gidTableLength(int value) {
            this.gidTableLength = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#pkeyTableLength()}
         */
        public Builder pkeyTableLength(int value) {
            this.pkeyTableLength = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#maxMessageSize()}
         */
        public Builder maxMessageSize(long value) {
            this.maxMessageSize = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#lid()}
         */
        public Builder lid(int value) {
            this.lid = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#smLid()}
         */
        public Builder smLid(int value) {
            this.smLid = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#lmc()}
         */
        public Builder lmc(int value) {
            this.lmc = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#smSl()}
         */
        public Builder smSl(int value) {
            this.smSl = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#linkLayer()}
         */
        public Builder linkLayer(LinkLayer value) {
            this.linkLayer = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#capabilityFlags()}
         */
        public Builder capabilityFlags(int value) {
            this.capabilityFlags = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#badPkeyCounter()}
         */
        public Builder badPkeyCounter(int value) {
            this.badPkeyCounter = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#qkeyViolationCounter()}
         */
        public Builder qkeyViolationCounter(int value) {
            this.qkeyViolationCounter = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#activeSpeedMbps()}
         */
        public Builder activeSpeedMbps(long value) {
            this.activeSpeedMbps = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#subnetTimeout()}
         */
        public Builder subnetTimeout(int value) {
            this.subnetTimeout = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link PortAttributes#grhRequired()}
         */
        public Builder grhRequired(boolean value) {
            this.grhRequired = value;
            return this;
        }

        /**
         * Makes the attributes.
         *
         * @return the attributes
         * @throws IllegalArgumentException if a number is out of range
         */
        public PortAttributes build() {
            return new PortAttributes(
                    state,
                    physicalState,
                    maxMtu,
                    activeMtu,
                    gidTableLength,
                    pkeyTableLength,
                    maxMessageSize,
                    lid,
                    smLid,
                    lmc,
                    smSl,
                    linkLayer,
                    capabilityFlags,
                    badPkeyCounter,
                    qkeyViolationCounter,
                    activeSpeedMbps,
                    subnetTimeout,
                    grhRequired);
        }
    }
}
