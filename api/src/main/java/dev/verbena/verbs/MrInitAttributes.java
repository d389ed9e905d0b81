// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The attributes of a new memory region ({@code struct ibv_mr_init_attr}, {@code ibv_reg_mr_ex}(3)). Immutable.
 *
 * @since 1.0
 */
public final class MrInitAttributes {
    private final MemorySegment memory;
    private final MemoryLifetime lifetime;
    private final OptionalLong iova;
    private final Set<AccessFlag> access;

    private MrInitAttributes(Builder from) {
        memory = from.memory;
        lifetime = from.lifetime;
        iova = from.iova;
        access = Collections.unmodifiableSet(EnumSet.copyOf(from.access));
    }

    /**
     * Creates a builder. The initial lifetime guarantee is {@link MemoryLifetime#VERBS_ARENA}, the initial iova is the
     * virtual address of the segment, and the initial access rights allow only local reads.
     *
     * @param memory the memory segment to register
     * @return a new builder
     */
    public static Builder builder(MemorySegment memory) {
        return new Builder(memory);
    }

    /**
     * Creates a builder for a direct or mapped buffer. The region covers the bytes between the buffer's position and limit.
     * The initial lifetime guarantee is {@link MemoryLifetime#REACHABLE}. A later change of the buffer's position has no
     * effect on the builder.
     *
     * @param buffer a direct or mapped buffer; the registration of a buffer in the Java heap fails with {@code EINVAL}
     * @return a new builder
     */
    public static Builder builder(ByteBuffer buffer) {
        return new Builder(MemorySegment.ofBuffer(buffer)).lifetime(MemoryLifetime.REACHABLE);
    }

    /** {@return the memory segment to register} */
    public MemorySegment memory() {
        return memory;
    }

    /** {@return the lifetime guarantee of the memory segment} */
    public MemoryLifetime lifetime() {
        return lifetime;
    }

    /**
     * {@return the iova of the first byte, 64 bits unsigned; empty means the virtual address of the segment, or 0 in a
     * zero-based region}
     */
    public OptionalLong iova() {
        return iova;
    }

    /** {@return the access rights, an unmodifiable set; the empty set allows only local reads} */
    public Set<AccessFlag> access() {
        return access;
    }

    @Override
    public String toString() {
        return memory.byteSize() + " bytes of lifetime " + lifetime + " with " + access;
    }

    /**
     * A builder of {@link MrInitAttributes}. The method that sets an attribute and the method that returns the attribute
     * have the same name. Not thread-safe.
     *
     * @since 1.0
     */
    public static final class Builder {
        private final MemorySegment memory;
        private final Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
        private MemoryLifetime lifetime = MemoryLifetime.VERBS_ARENA;
        private OptionalLong iova = OptionalLong.empty();

        private Builder(MemorySegment memory) {
            this.memory = memory;
        }

        /**
         * Sets the lifetime guarantee of the memory segment.
         *
         * @param value the lifetime guarantee
         * @return this
         */
        public Builder lifetime(MemoryLifetime value) {
            lifetime = value;
            return this;
        }

        /**
         * Sets the iova: the address by which work requests and peers access the region's first byte.
         *
         * @param value 64 bits unsigned
         * @return this
         */
        public Builder iova(long value) {
            iova = OptionalLong.of(value);
            return this;
        }

        /**
         * Adds access rights.
         *
         * @param flags the access rights to add
         * @return this
         */
        public Builder access(Set<AccessFlag> flags) {
            access.addAll(flags);
            return this;
        }

        /**
         * Adds access rights.
         *
         * @param flags the access rights to add
         * @return this
         */
        public Builder access(AccessFlag... flags) {
            access.addAll(List.of(flags));
            return this;
        }

        /** {@return new attributes} */
        public MrInitAttributes build() {
            return new MrInitAttributes(this);
        }
    }
}
