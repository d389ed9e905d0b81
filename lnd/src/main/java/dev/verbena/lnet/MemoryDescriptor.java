// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Memory that LNet operations read or write, with its rules and its event handler or event queue.
 *
 * <p>A descriptor is used once, in one of two ways. Attached to a {@link MatchEntry}, it serves incoming PUTs and GETs.
 * Otherwise the first {@code put} or {@code get} that names it binds it, and its memory is the source or the sink. Its
 * last event has {@link LnetEvent#unlinked} set; only after that the memory is the user's again.
 *
 * <p>The attributes are immutable; the state changes only under LNet's lock of the node that has the descriptor.
 */
public final class MemoryDescriptor {

    /** A threshold that never runs out. */
    public static final int INFINITE = -1;

    /** The state of a descriptor. */
    enum State {
        NEW,
        ATTACHED,
        BOUND,
        UNLINKING,
        UNLINKED
    }

    private final PayloadVector memory;
    private final int optionMask;
    private final long maxSize;
    private final UnlinkPolicy unlinkPolicy;
    private final @Nullable Object context;
    private final LnetEventHandler handler;
    private final boolean hasHandler;
    private final @Nullable LnetEventQueue eventQueue;

    private State state = State.NEW;
    private long interfaceCookie = WireHandle.NONE.interfaceCookie();
    private long objectCookie = WireHandle.NONE.objectCookie();
    private @Nullable MatchEntry entry;
    private int threshold;
    private long localOffset;
    private int operations;
    private boolean aborted;
    private boolean sink;
    /** The interfaces that operations with an answer went to. */
    private List<Nid> answerers = List.of();

    private MemoryDescriptor(Builder builder) {
        memory = builder.memory;
        optionMask = builder.optionMask;
        maxSize = builder.maxSize;
        unlinkPolicy = builder.unlinkPolicy;
        context = builder.context;
        handler = builder.handler;
        hasHandler = builder.hasHandler;
        eventQueue = builder.eventQueue;
        threshold = builder.threshold;
    }

    /**
     * Starts the description of a descriptor over one piece of memory.
     *
     * @param memory the bytes; not confined to one thread
     * @return a builder with an infinite threshold, no options and {@link UnlinkPolicy#UNLINK}
     * @throws IllegalArgumentException if other threads may not touch the memory
     */
    public static Builder over(MemorySegment memory) {
        return over(PayloadVector.of(memory));
    }

    /**
     * Starts the description of a descriptor over several pieces of memory.
     *
     * @param memory the bytes; not confined to one thread
     * @return a builder with an infinite threshold, no options and {@link UnlinkPolicy#UNLINK}
     * @throws IllegalArgumentException if other threads may not touch the memory
     */
    public static Builder over(PayloadVector memory) {
        return new Builder(memory);
    }

    /**
     * The memory.
     *
     * @return the bytes, as given
     */
    public PayloadVector memory() {
        return memory;
    }

    /** {@return the bytes of the memory} */
    public long length() {
        return memory.length();
    }

    /**
     * The options.
     *
     * @return an unmodifiable set
     */
    public Set<MdOption> options() {
        return MdOption.setOf(optionMask);
    }

    boolean has(MdOption option) {
        return (optionMask & option.mask()) != 0;
    }

    /**
     * The most bytes of one operation, where {@link MdOption#MAX_SIZE} is set.
     *
     * @return bytes
     */
    public long maxSize() {
        return maxSize;
    }

    /**
     * The user's own object, as given.
     *
     * @return the object, or null if there is none
     */
    public @Nullable Object context() {
        return context;
    }

    /**
     * Returns the event handler of this descriptor.
     *
     * @return the handler; one that does nothing if none was given
     */
    public LnetEventHandler handler() {
        return handler;
    }

    /** {@return whether this descriptor was given an event handler} */
    public boolean hasHandler() {
        return hasHandler;
    }

    /** Returns the queue of its events; null if it has none. */
    @Nullable LnetEventQueue eventQueue() {
        return eventQueue;
    }

    /** Returns its wire handle, made anew by each call. */
    WireHandle handle() {
        return new WireHandle(interfaceCookie, objectCookie);
    }

    /** Replaces the object cookie; only before it is sent. */
    void rename(long cookie) {
        objectCookie = cookie;
    }

    /** Lets an interface answer an operation. */
    void expectAnswer(Nid from) {
        if (!answerers.contains(from)) {
            List<Nid> more = new ArrayList<>(answerers);
            more.add(from);
            answerers = List.copyOf(more);
        }
    }

    /** Returns whether an operation was sent to that interface. */
    boolean mayAnswer(Nid from) {
        return answerers.contains(from);
    }

    long objectCookie() {
        return objectCookie;
    }

    State state() {
        return state;
    }

    @Nullable MatchEntry entry() {
        return entry;
    }

    long localOffset() {
        return localOffset;
    }

    int operations() {
        return operations;
    }

    boolean isAborted() {
        return aborted;
    }

    /** Returns whether a GET named this descriptor, so that a REPLY may write here. */
    boolean isSink() {
        return sink;
    }

    void becomeSink() {
        sink = true;
    }

    /** Sets the name of the descriptor when it is attached or bound. */
    void link(long instance, long name, @Nullable MatchEntry at) {
        interfaceCookie = instance;
        objectCookie = name;
        entry = at;
        state = at == null ? State.BOUND : State.ATTACHED;
    }

    /** Returns whether the descriptor accepts no further operation: rule 1 of matching. */
    boolean isExhausted() {
        return threshold == 0 || (has(MdOption.MAX_SIZE) && localOffset + maxSize > length());
    }

    boolean isThresholdReached() {
        return threshold == 0;
    }

    /** Returns where an operation with a requested offset begins. */
    long startOf(long offset) {
        return has(MdOption.MANAGE_REMOTE) ? offset : localOffset;
    }

    /** Returns the most bytes of an operation that begins at an offset; negative if that is after the end. */
    long roomAt(long start) {
        long room = Math.min(length() - start, Lnd.MAX_PAYLOAD);
        return has(MdOption.MAX_SIZE) ? Math.min(room, maxSize) : room;
    }

    /** Returns whether an operation of {@code length} bytes is possible, perhaps truncated to {@code room}. */
    boolean takes(long length, long room) {
        return room >= 0 && (length <= room || has(MdOption.TRUNCATE));
    }

    /** Counts the beginning of an operation. */
    void begin(long nextOffset) {
        operations++;
        localOffset = nextOffset;
        if (threshold != INFINITE) {
            threshold--;
        }
    }

    /** Counts an operation out. */
    void end() {
        operations--;
    }

    /** Closes the descriptor to further operations; {@code byUser} makes those in progress report a timeout. */
    void startUnlinking(boolean byUser) {
        state = State.UNLINKING;
        aborted |= byUser;
        entry = null;
    }

    /** Returns whether the descriptor's last operation has ended and it may be unlinked. */
    boolean isUnlinkable() {
        return operations == 0 && (state == State.UNLINKING || (unlinkPolicy == UnlinkPolicy.UNLINK && isExhausted()));
    }

    boolean unlinksItself() {
        return unlinkPolicy == UnlinkPolicy.UNLINK;
    }

    void unlinked() {
        state = State.UNLINKED;
        entry = null;
    }

    @Override
    public String toString() {
        return "MD " + handle() + " " + state + " " + memory + " " + options() + " threshold "
                + (threshold == INFINITE ? "infinite" : threshold) + " operations " + operations;
    }

    /** Collects the description of a {@link MemoryDescriptor}. */
    public static final class Builder {
        /** Never started: used only to check whether a thread other than the owner may access a segment. */
        private static final Thread SOME_OTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

        private static final LnetEventHandler NOBODY = event -> {};

        private final PayloadVector memory;
        private int optionMask;
        private int threshold = INFINITE;
        private long maxSize;
        private UnlinkPolicy unlinkPolicy = UnlinkPolicy.UNLINK;
        private @Nullable Object context;
        private LnetEventHandler handler = NOBODY;
        private boolean hasHandler;
        private @Nullable LnetEventQueue eventQueue;

        private Builder(PayloadVector memory) {
            @Nullable MemorySegment confined = memory.find(slice -> !slice.isAccessibleBy(SOME_OTHER_THREAD));
            if (confined != null) {
                throw new IllegalArgumentException("memory " + confined
                        + " is confined to one thread, but LNet moves data on others; use a shared or automatic arena");
            }
            this.memory = memory;
        }

        /**
         * Adds options.
         *
         * @param more the options
         * @return this
         */
        public Builder options(MdOption... more) {
            for (MdOption option : more) {
                optionMask |= option.mask();
            }
            return this;
        }

        /**
         * Limits how many operations the descriptor serves. Each PUT, GET, ACK and REPLY counts as one; a GET or a
         * PUT with ACK therefore needs 2 on the initiator's side.
         *
         * @param count 1 or more, or {@link #INFINITE}
         * @return this
         * @throws IllegalArgumentException if the count is neither
         */
        public Builder threshold(int count) {
            if (count < 1 && count != INFINITE) {
                throw new IllegalArgumentException(
                        "threshold " + count + " is neither 1 or more nor MemoryDescriptor.INFINITE");
            }
            threshold = count;
            return this;
        }

        /**
         * Limits one operation's bytes and sets {@link MdOption#MAX_SIZE}.
         *
         * @param bytes 0 or more
         * @return this
         * @throws IllegalArgumentException if negative
         */
        public Builder maxSize(long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException("maximum size " + bytes + " is negative");
            }
            maxSize = bytes;
            optionMask |= MdOption.MAX_SIZE.mask();
            return this;
        }

        /**
         * Sets whether the descriptor is unlinked when the threshold is reached or the room is exhausted.
         *
         * @param policy the default is {@link UnlinkPolicy#UNLINK}
         * @return this
         */
        public Builder unlinkPolicy(UnlinkPolicy policy) {
            unlinkPolicy = policy;
            return this;
        }

        /**
         * Sets the event handler, which replaces an {@linkplain #eventQueue event queue}.
         *
         * @param handler the handler; by default none
         * @return this
         */
        public Builder handler(LnetEventHandler handler) {
            this.handler = handler;
            hasHandler = true;
            eventQueue = null;
            return this;
        }

        /**
         * Sets the queue for the descriptor's events, which replaces a {@linkplain #handler handler}.
         *
         * @param queue of the runtime of the node that will hold the descriptor
         * @return this
         */
        public Builder eventQueue(LnetEventQueue queue) {
            handler = NOBODY;
            hasHandler = false;
            eventQueue = queue;
            return this;
        }

        /**
         * Keeps an object of the user's.
         *
         * @param context the object
         * @return this
         */
        public Builder context(Object context) {
            this.context = context;
            return this;
        }

        /**
         * Makes the descriptor.
         *
         * @return a descriptor that is not in use yet
         * @throws IllegalArgumentException if PUTs are allowed into read-only memory
         */
        public MemoryDescriptor build() {
            if ((optionMask & MdOption.OP_PUT.mask()) != 0 && memory.isReadOnly()) {
                throw new IllegalArgumentException("OP_PUT is set but the memory is read-only");
            }
            return new MemoryDescriptor(this);
        }
    }
}
