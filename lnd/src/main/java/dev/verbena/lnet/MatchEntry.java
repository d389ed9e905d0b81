// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a portal. The entry selects PUTs and GETs for the {@link MemoryDescriptor} attached to the entry.
 *
 * <p>An operation matches an entry if the initiator's process id matches {@link #source}, and if the operation's match bits
 * equal {@link #matchBits} except for the bits set in {@link #ignoreBits}. The attributes of a match entry are immutable. A
 * thread must hold LNet's lock to change the match entry's memory descriptor, or the match entry's position in its portal.
 */
public final class MatchEntry {

    /**
     * The position of a new match entry in one of the two lists of its portal. LNet first tries the list of entries
     * that ignore some match bits, then the list of entries that compare all match bits.
     */
    public enum Position {
        /** LNet tries the new match entry before all other entries of the same list. */
        BEFORE,
        /** LNet tries the new match entry after all other entries of the same list. */
        AFTER
    }

    private final int portal;
    private final ProcessId source;
    private final long matchBits;
    private final long ignoreBits;
    private final UnlinkPolicy unlinkPolicy;
    private final Position position;

    /** The portal that contains this match entry; null if the match entry is in no portal. */
    private @Nullable Portal home;

    /** The next match entry in the same list of the portal. The last entry of the list refers to the first entry. */
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
     * Starts to build a match entry.
     *
     * @param portal the index of the portal, 0 to 63
     * @return a builder of a match entry that matches operations of any process with match bits 0
     * @throws IllegalArgumentException if the portal number is not 0 to 63
     */
    public static Builder on(int portal) {
        return new Builder(Portal.checkIndex(portal));
    }

    /** {@return the index of the entry's portal, 0 to 63} */
    public int portal() {
        return portal;
    }

    /** {@return the process id of the initiators of matching operations; may contain wildcards} */
    public ProcessId source() {
        return source;
    }

    /** {@return the bits that LNet compares with an operation's match bits} */
    public long matchBits() {
        return matchBits;
    }

    /** {@return the bits that LNet ignores when it compares match bits} */
    public long ignoreBits() {
        return ignoreBits;
    }

    Position position() {
        return position;
    }

    boolean unlinksItself() {
        return unlinkPolicy == UnlinkPolicy.UNLINK;
    }

    /** Returns whether the entry has a NID and a PID without wildcards, and no ignored bits, as in a "unique" portal. */
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

    /** Returns whether this match entry accepts an operation with the given initiator and match bits. */
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
         * {@return this builder; the match entry accepts operations of the given processes only}
         *
         * @param id a process id, which may contain wildcards; by default any process
         */
        public Builder source(ProcessId id) {
            source = id;
            return this;
        }

        /**
         * {@return this builder, with the given match bits}
         *
         * @param bits the bits to compare with an operation's match bits, by default 0
         */
        public Builder matchBits(long bits) {
            matchBits = bits;
            return this;
        }

        /**
         * {@return this builder, with the given mask of ignored match bits}
         *
         * @param bits the bits that LNet ignores when it compares match bits, by default 0
         */
        public Builder ignoreBits(long bits) {
            ignoreBits = bits;
            return this;
        }

        /**
         * {@return this builder, with the policy for the match entry after the memory descriptor is unlinked}
         *
         * @param policy the policy, by default {@link UnlinkPolicy#UNLINK}; with {@link UnlinkPolicy#RETAIN}, the match
         *     entry can later get another memory descriptor
         */
        public Builder unlinkPolicy(UnlinkPolicy policy) {
            unlinkPolicy = policy;
            return this;
        }

        /**
         * Sets whether LNet tries the match entry before or after the other entries in the same list of the portal.
         *
         * @param position the position, by default {@link Position#AFTER}
         * @return this builder
         */
        public Builder position(Position position) {
            this.position = position;
            return this;
        }

        /** {@return a match entry that is in no portal yet} */
        public MatchEntry build() {
            return new MatchEntry(this);
        }
    }
}
