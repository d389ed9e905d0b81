// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * Selects the incoming PUTs and GETs of a portal for the {@link MemoryDescriptor} attached to it.
 *
 * <p>An operation matches if it comes from a process that {@link #source} covers and its match bits equal
 * {@link #matchBits} wherever {@link #ignoreBits} is 0. The description is immutable; the place in the portal and the
 * attached descriptor change only under the lock of the node.
 */
public final class MatchEntry {

    /** The place of a new entry among those of its portal. */
    public enum Position {
        /** Tried before the entries that are there. */
        BEFORE,
        /** Tried after the entries that are there. */
        AFTER
    }

    private final int portal;
    private final ProcessId source;
    private final long matchBits;
    private final long ignoreBits;
    private final UnlinkPolicy unlinkPolicy;
    private final Position position;

    /** The portal of a node that it is in. */
    private @Nullable Portal home;

    /** The next entry of the portal; after the last one comes the first. */
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
     * Starts the description of an entry.
     *
     * @param portal the portal it belongs to, 0 to 63
     * @return a builder for an entry that takes match bits 0 from any process
     * @throws IllegalArgumentException if there is no such portal
     */
    public static Builder on(int portal) {
        return new Builder(Portal.checkIndex(portal));
    }

    /** {@return the portal, 0 to 63} */
    public int portal() {
        return portal;
    }

    /**
     * Which processes match.
     *
     * @return an id that may hold wildcards
     */
    public ProcessId source() {
        return source;
    }

    /** {@return the bits an operation must have} */
    public long matchBits() {
        return matchBits;
    }

    /** {@return the bits that do not count} */
    public long ignoreBits() {
        return ignoreBits;
    }

    Position position() {
        return position;
    }

    boolean unlinksItself() {
        return unlinkPolicy == UnlinkPolicy.UNLINK;
    }

    /** Full NID and process id and no ignored bits: the entries a "unique" portal is made of. */
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

    /** Rules 3 and 4 of matching. */
    boolean accepts(ProcessId initiator, long bits) {
        return ((matchBits ^ bits) & ~ignoreBits) == 0 && source.covers(initiator);
    }

    @Override
    public String toString() {
        return "ME portal " + portal + " from " + source + " match 0x" + Long.toHexString(matchBits) + " ignore 0x"
                + Long.toHexString(ignoreBits);
    }

    /** Collects the description of a {@link MatchEntry}. */
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
         * Limits the sources that may use the entry.
         *
         * @param id a process, or wildcards; by default any process
         * @return this
         */
        public Builder source(ProcessId id) {
            source = id;
            return this;
        }

        /**
         * Sets the bits an operation must have.
         *
         * @param bits 64 bits, by default 0
         * @return this
         */
        public Builder matchBits(long bits) {
            matchBits = bits;
            return this;
        }

        /**
         * Sets the bits that do not count.
         *
         * @param bits 64 bits, by default 0
         * @return this
         */
        public Builder ignoreBits(long bits) {
            ignoreBits = bits;
            return this;
        }

        /**
         * Sets whether the entry is unlinked together with its descriptor.
         *
         * @param policy the default is {@link UnlinkPolicy#UNLINK}; a retained entry keeps its place for another
         *     descriptor
         * @return this
         */
        public Builder unlinkPolicy(UnlinkPolicy policy) {
            unlinkPolicy = policy;
            return this;
        }

        /**
         * Sets the place of the entry among those of its portal.
         *
         * @param position the default is {@link Position#AFTER}
         * @return this
         */
        public Builder position(Position position) {
            this.position = position;
            return this;
        }

        /**
         * Makes the entry.
         *
         * @return an entry that is in no portal yet
         */
        public MatchEntry build() {
            return new MatchEntry(this);
        }
    }
}
