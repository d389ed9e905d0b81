// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Optional;

/**
 * An address vector ({@code struct ibv_ah_attr}, {@code ibv_create_ah}(3)): the LID, the GID or both of a destination, and
 * the service level, static rate and local port of packets to it. Immutable.
 *
 * <p>On Ethernet the global route is compulsory and the device ignores the LIDs. On InfiniBand the LID identifies the
 * destination in the subnet; destinations outside of the subnet also need the global route. For RoCE, {@link #toGid(Gid, int)}
 * is sufficient.
 *
 * @param destinationLid 0..0xFFFF, the LID of the peer's port or of a multicast group; 0 on Ethernet
 * @param serviceLevel the service level, 0..15
 * @param sourcePathBits 0..127, the low bits of the source LID; they select one LID if the local port has several LIDs
 *     ({@link PortAttributes#lmc()})
 * @param staticRate a value of {@code enum ibv_rate}, 0..255; 0 means the full rate of the port
 * @param port 1..255, the number of the local port that sends the packets
 * @param route the fields of the global route header (GRH); empty means that the packets have no such header
 * @since 1.0
 */
public record AddressVector(
        int destinationLid,
        int serviceLevel,
        int sourcePathBits,
        int staticRate,
        int port,
        Optional<GlobalRoute> route) {
    private static final int USUAL_HOP_LIMIT = 64;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if the value of a field is out of range
     */
    public AddressVector {
        ValueChecks.inRange("destinationLid", destinationLid, 0, 0xFFFF, "use 0 on Ethernet");
        ValueChecks.inRange("serviceLevel", serviceLevel, 0, 15, "the field has 4 bits");
        ValueChecks.inRange("sourcePathBits", sourcePathBits, 0, 0x7F, "use 0 unless the port has several LIDs");
        ValueChecks.inRange("staticRate", staticRate, 0, 0xFF, "use 0 for no limit");
        ValueChecks.inRange("port", port, 1, 0xFF, "ports count from 1");
    }

    /**
     * Creates the address vector of a RoCE destination, with local port 1 and hop limit 64.
     *
     * @param dgid the GID of the peer
     * @param sgidIndex 0..255, the index of the local GID in the port's GID table
     * @return the address vector
     * @throws IllegalArgumentException if the index of the GID is outside 0..255
     */
    public static AddressVector toGid(Gid dgid, int sgidIndex) {
        return builder()
                .route(new GlobalRoute(dgid, 0, sgidIndex, USUAL_HOP_LIMIT, 0))
                .build();
    }

    /** {@return a new builder with port 1, all other numbers 0, and no global route} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a new builder with the values of this address vector} */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.destinationLid = destinationLid;
        builder.serviceLevel = serviceLevel;
        builder.sourcePathBits = sourcePathBits;
        builder.staticRate = staticRate;
        builder.port = port;
        builder.route = route;
        return builder;
    }

    /**
     * A builder of address vectors; not thread-safe. {@link #build()} checks the ranges of the values.
     *
     * @since 1.0
     */
    public static final class Builder {
        private int destinationLid;
        private int serviceLevel;
        private int sourcePathBits;
        private int staticRate;
        private int port = 1;
        private Optional<GlobalRoute> route = Optional.empty();

        private Builder() {}

        /**
         * {@return this builder}
         * @param value {@link AddressVector#destinationLid()}
         */
        public Builder destinationLid(int value) {
            this.destinationLid = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link AddressVector#serviceLevel()}
         */
        public Builder serviceLevel(int value) {
            this.serviceLevel = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link AddressVector#sourcePathBits()}
         */
        public Builder sourcePathBits(int value) {
            this.sourcePathBits = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link AddressVector#staticRate()}
         */
        public Builder staticRate(int value) {
            this.staticRate = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link AddressVector#port()}
         */
        public Builder port(int value) {
            this.port = value;
            return this;
        }

        /**
         * Adds a global route header.
         *
         * @param value the route
         * @return this builder
         */
        public Builder route(GlobalRoute value) {
            this.route = Optional.of(value);
            return this;
        }

        /**
         * Creates the address vector.
         *
         * @return the address vector
         * @throws IllegalArgumentException if the value of a field is out of range
         */
        public AddressVector build() {
            return new AddressVector(destinationLid, serviceLevel, sourcePathBits, staticRate, port, route);
        }
    }
}
