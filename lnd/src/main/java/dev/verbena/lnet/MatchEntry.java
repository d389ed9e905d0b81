// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * Selects the incoming PUTs and GETs of a portal for the {@link MemoryDescriptor} attached to this entry.
 *
 * <p>An operation matches if {@link #source} covers its initiator and its match bits equal {@link #matchBits}, except
 * for the bits that are set in {@link #ignoreBits}. The attributes of an entry are immutable. The position in the
 * portal and the attached memory descriptor change only under LNet's lock.
 */
public final class MatchEntry {

    /** The position of a new entry in the list of its portal. */
    public enum Position {
        /** The new entry is tried before the entries of the list. */
        BEFORE,
        /** The new entry is tried after the entries of the list. */
        AFTER
    }

    private final int portal;
    private final ProcessId source;
    private final long matchBits;
    private final long ignoreBits;
    private final UnlinkPolicy unlinkPolicy;
    private final Position position;

    /** The portal that contains this entry, if any. */
    private @Nullable Portal home;

    /** The next entry of the portal; the last entry refers to the first one. */
    private MatchEntry next = this;

    private @Nullable MemoryDescriptor memoryDescriptor;

    private MatchEntry(Builder builder) {
        portal = builder.portal;
        source = builder.source;
        matchBits = builder.matchBits;
        ignoreBits = builder.ignoreBits;
        unlinkPolicy = builder.unlinkPolicy;
        position = builder.position;
    }

    /**
     * Starts to build an entry.
     *
     * @param portal the portal, 0 to 63
     * @return a builder of an entry for match bits 0 from any process
     * @throws IllegalArgumentException if the portal does not exist
     */
    public static Builder on(int portal) {
        return new Builder(Portal.checkIndex(portal));
    }

    /** {@return the portal, 0 to 63} */
    public int portal() {
        return portal;
    }

    /** {@return the processes whose operations match, as an id that may contain wildcards} */
    public ProcessId source() {
        return source;
    }

    /** {@return the match bits that an operation must have} */
    public long matchBits() {
        return matchBits;
    }

    /** {@return the bits that are ignored in the comparison of match bits} */
    public long ignoreBits() {
        return ignoreBits;
    }

    Position position() {
        return position;
    }

    boolean unlinksItself() {
        return unlinkPolicy == UnlinkPolicy.UNLINK;
    }

    /** Returns whether the entry has a full NID, a process number and no ignored bits, as in a "unique" portal. */
    boolean isUnique() {
        return ignoreBits == 0
                && source.pid() != ProcessId.ANY_PID
                && !source.nid().isAny();
    }

    @Nullable Portal home() {
        return home;
    }

    void home(@Nullable Portal newHome) {
        home = newHome;
    }

    MatchEntry next() {
        return next;
    }

    void next(MatchEntry behind) {
        next = behind;
    }

    @Nullable MemoryDescriptor memoryDescriptor() {
        return memoryDescriptor;
    }

    void memoryDescriptor(@Nullable MemoryDescriptor attached) {
        memoryDescriptor = attached;
    }

    /** Applies rules 3 and 4 of matching. */
    boolean accepts(ProcessId initiator, long bits) {
        return ((matchBits ^ bits) & ~ignoreBits) == 0 && source.covers(initiator);
    }

    @Override
    public String toString() {
        return "ME portal " + portal + " from " + source + " match 0x" + Long.toHexString(matchBits) + " ignore 0x"
                + Long.toHexString(ignoreBits);
    }

    /** Builds a {@link MatchEntry}. */
    public static final class Builder {
        private final int portal;
        private ProcessId source = ProcessId.ANY;
        private long matchBits;
        private long ignoreBits;
        private UnlinkPolicy unlinkPolicy = UnlinkPolicy.UNLINK;
        private Position position = Position.AFTER;

        private Builder(int portal) {
            this.portal = portal;
        }

        /**
         * {@return this builder, with other processes whose operations match}
         *
         * @param id a process id that may contain wildcards; the default is any process
         */
        public Builder source(ProcessId id) {
            source = id;
            return this;
        }

        /**
         * {@return this builder, with other match bits}
         *
         * @param bits the bits that an operation must have, by default 0
         */
        public Builder matchBits(long bits) {
            matchBits = bits;
            return this;
        }

        /**
         * {@return this builder, with other ignored bits}
         *
         * @param bits the bits that are ignored in the comparison of match bits, by default 0
         */
        public Builder ignoreBits(long bits) {
            ignoreBits = bits;
            return this;
        }

        /**
         * {@return this builder, with another policy for unlinking the entry together with its memory descriptor}
         *
         * @param policy the policy, by default {@link UnlinkPolicy#UNLINK}; a retained entry can have another memory
         *     descriptor later
         */
        public Builder unlinkPolicy(UnlinkPolicy policy) {
            unlinkPolicy = policy;
            return this;
        }

        /**
         * {@return this builder, with another position of the entry in its portal}
         *
         * @param position the position, by default {@link Position#AFTER}
         */
        public Builder position(Position position) {
            this.position = position;
            return this;
        }

        /** {@return an entry that is in no portal yet} */
        public MatchEntry build() {
            return new MatchEntry(this);
        }
    }
}
