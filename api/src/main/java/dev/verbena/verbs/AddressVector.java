// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Optional;

/**
 * Where a peer is and how to get there ({@code struct ibv_ah_attr}, {@code ibv_create_ah}(3)). Immutable.
 *
 * <p>On Ethernet the route is compulsory and the LID fields are ignored; on InfiniBand the LID leads through the subnet
 * and the route is needed beyond it. {@link #toGid(Gid, int)} is all that RoCE needs.
 *
 * @param destinationLid 0..0xFFFF, LID of the peer's port or of a multicast group; 0 on Ethernet
 * @param serviceLevel 0..15
 * @param sourcePathBits 0..127, low bits of the own LID if the port has several ({@link PortAttributes#lmc()})
 * @param staticRate number of {@code enum ibv_rate}, 0..255; 0 sends as fast as the port can
 * @param port 1..255, the own port to send from
 * @param route the global route header, empty for none
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
     * @throws IllegalArgumentException if a number does not fit its field
     */
    public AddressVector {
        ValueChecks.inRange("destinationLid", destinationLid, 0, 0xFFFF, "use 0 on Ethernet");
        ValueChecks.inRange("serviceLevel", serviceLevel, 0, 15, "the field has 4 bits");
        ValueChecks.inRange("sourcePathBits", sourcePathBits, 0, 0x7F, "use 0 unless the port has several LIDs");
        ValueChecks.inRange("staticRate", staticRate, 0, 0xFF, "use 0 for no limit");
        ValueChecks.inRange("port", port, 1, 0xFF, "ports count from 1");
    }

    /**
     * The address of a GID from port 1 with a hop limit of 64, as RoCE needs it.
     *
     * @param dgid GID of the peer
     * @param sgidIndex 0..255, index of the own GID
     * @return the address
     * @throws IllegalArgumentException if the index is outside that range
     */
    public static AddressVector toGid(Gid dgid, int sgidIndex) {
        return builder()
                .route(new GlobalRoute(dgid, 0, sgidIndex, USUAL_HOP_LIMIT, 0))
                .build();
    }

    /**
     * Starts from port 1, all else 0, no route.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Starts from this address.
     *
     * @return a new builder
     */
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
     * Collects an address; not thread-safe. Ranges are checked by {@link #build()}.
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
         *
         * @param value {@link AddressVector#destinationLid()}
         */
        public Builder destinationLid(int value) {
            this.destinationLid = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link AddressVector#serviceLevel()}
         */
        public Builder serviceLevel(int value) {
            this.serviceLevel = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link AddressVector#sourcePathBits()}
         */
        public Builder sourcePathBits(int value) {
            this.sourcePathBits = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link AddressVector#staticRate()}
         */
        public Builder staticRate(int value) {
            this.staticRate = value;
            return this;
        }

        /**
         * {@return this builder}
         *
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
         * Makes the address.
         *
         * @return the address
         * @throws IllegalArgumentException if a number does not fit its field
         */
        public AddressVector build() {
            return new AddressVector(destinationLid, serviceLevel, sourcePathBits, staticRate, port, route);
        }
    }
}
