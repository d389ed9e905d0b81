// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A used entry of a port's GID table ({@code struct ibv_gid_entry}, {@code ibv_query_gid_table}(3); sysfs
 * {@code ports/1/gids} and {@code ports/1/gid_attrs}). Immutable.
 *
 * @since 1.0
 */
public final class GidEntry {
    private final int port;
    private final int index;
    private final Gid gid;
    private final int typeCode;
    private final String interfaceName;

    private GidEntry(Builder from) {
        port = ValueChecks.inRange("port", from.port, 1, 0xFF, "ports count from 1");
        index = ValueChecks.inRange("index", from.index, 0, Integer.MAX_VALUE, "indexes count from 0");
        gid = ValueChecks.required("GidEntry", "gid", from.gid);
        typeCode = from.typeCode;
        interfaceName = from.interfaceName;
    }

    /**
     * {@return a new builder with port 1, index 0, type {@link GidType#ROCE_V2} and no interface; the program must set the GID}
     */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the port, 1..255} */
    public int port() {
        return port;
    }

    /**
     * {@return the index of the entry, as in {@link GlobalRoute#sgidIndex()}; usually 0..255, but some devices have
     * larger GID tables}
     */
    public int index() {
        return index;
    }

    /** {@return the GID} */
    public Gid gid() {
        return gid;
    }

    /** {@return the encapsulation of this GID's packets, or {@link GidType#UNKNOWN} if Verbena does not know the type} */
    public GidType type() {
        return GidType.of(typeCode);
    }

    /** {@return the number in {@code enum ibv_gid_type} that the device reported for this GID} */
    public int typeCode() {
        return typeCode;
    }

    /** {@return the name of the GID's network interface, empty on InfiniBand} */
    public String interfaceName() {
        return interfaceName;
    }

    private Components components() {
        return new Components()
                .with("port", port)
                .with("index", index)
                .with("gid", gid)
                .with("type", type())
                .with("typeCode", typeCode)
                .with("interfaceName", interfaceName);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GidEntry entry && components().equals(entry.components());
    }

    @Override
    public int hashCode() {
        return components().hashCode();
    }

    @Override
    public String toString() {
        return "GidEntry" + components();
    }

    /**
     * A builder of GID table entries. The setter and the getter of an attribute have the same name. Not thread-safe.
     *
     * @since 1.0
     */
    public static final class Builder {
        private int port = 1;
        private int index;
        private @Nullable Gid gid;
        private int typeCode = GidType.ROCE_V2.code();
        private String interfaceName = "";

        private Builder() {}

        /**
         * {@return this builder}
         * @param value {@link GidEntry#port()}
         */
        public Builder port(int value) {
            port = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link GidEntry#index()}
         */
        public Builder index(int value) {
            index = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link GidEntry#gid()}
         */
        public Builder gid(Gid value) {
            gid = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link GidEntry#type()}
         */
        public Builder type(GidType value) {
            return typeCode(value.code());
        }

        /**
         * {@return this builder}
         * @param value {@link GidEntry#typeCode()}
         */
        public Builder typeCode(int value) {
            typeCode = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link GidEntry#interfaceName()}
         */
        public Builder interfaceName(String value) {
            interfaceName = Objects.requireNonNull(value);
            return this;
        }

        /**
         * {@return the entry}
         *
         * @throws IllegalArgumentException if the port number or the index is out of range
         * @throws IllegalStateException if no GID was set
         */
        public GidEntry build() {
            return new GidEntry(this);
        }
    }
}
