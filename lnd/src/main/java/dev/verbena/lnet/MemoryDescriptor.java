// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that LNet operations read or write, with options and with an event handler or event queue.
 *
 * <p>A memory descriptor is used once, either for incoming or for outgoing operations. A memory descriptor that is attached
 * to a {@link MatchEntry} is the target of incoming PUTs and GETs. The first outgoing PUT or GET binds an unattached memory
 * descriptor. A bound memory descriptor is the source of PUTs or the destination of GETs. In the last event of a memory
 * descriptor, {@link LnetEvent#unlinked} is set. LNet may access the buffer until it reports the descriptor's last event.
 *
 * <p>The attributes are immutable. The state of a memory descriptor changes only under LNet's lock.
 */
public final class MemoryDescriptor {

    /** The threshold of a memory descriptor that accepts an unlimited number of operations. */
    public static final int INFINITE = -1;

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
    /** The NIDs of the peers that may respond to operations of this memory descriptor. */
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
     * Starts to build a memory descriptor over one segment.
     *
     * @param memory the memory segment, which must not be confined to one thread
     * @return a builder with an infinite threshold, no options and {@link UnlinkPolicy#UNLINK}
     * @throws IllegalArgumentException if the memory segment is confined to one thread
     */
    public static Builder over(MemorySegment memory) {
        return over(PayloadVector.of(memory));
    }

    /**
     * Starts to build a memory descriptor over several segments.
     *
     * @param memory the memory segments, which must not be confined to one thread
     * @return a builder with an infinite threshold, no options and {@link UnlinkPolicy#UNLINK}
     * @throws IllegalArgumentException if a memory segment is confined to one thread
     */
    public static Builder over(PayloadVector memory) {
        return new Builder(memory);
    }

    /** {@return the buffer that was passed to the builder} */
    public PayloadVector memory() {
        return memory;
    }

    /** {@return the length in bytes of this memory descriptor's buffer} */
    public long length() {
        return memory.length();
    }

    /** {@return an unmodifiable set of the descriptor's options} */
    public Set<MdOption> options() {
        return MdOption.setOf(optionMask);
    }

    boolean has(MdOption option) {
        return (optionMask & option.mask()) != 0;
    }

    /** {@return the maximum length of one operation in bytes, if {@link MdOption#MAX_SIZE} is set} */
    public long maxSize() {
        return maxSize;
    }

    /** {@return the object that was passed to {@link Builder#context}, or null} */
    public @Nullable Object context() {
        return context;
    }

    /** {@return the event handler, or a handler without effect if the builder got none} */
    public LnetEventHandler handler() {
        return handler;
    }

    /** {@return whether the builder got an event handler} */
    public boolean hasHandler() {
        return hasHandler;
    }

    @Nullable LnetEventQueue eventQueue() {
        return eventQueue;
    }

    WireHandle handle() {
        return new WireHandle(interfaceCookie, objectCookie);
    }

    /**
     * Replaces the object cookie in the wire handle of this memory descriptor. The caller must ensure that no peer has
     * received the old object cookie.
     */
    void rename(long cookie) {
        objectCookie = cookie;
    }

    /** Adds a peer that may respond to an operation of this memory descriptor. */
    void expectAnswer(Nid from) {
        if (!answerers.contains(from)) {
            List<Nid> more = new ArrayList<>(answerers);
            more.add(from);
            answerers = List.copyOf(more);
        }
    }

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

    /** Returns whether a GET has used this descriptor. LNet drops a REPLY for a memory descriptor that no GET has used. */
    boolean isSink() {
        return sink;
    }

    void becomeSink() {
        sink = true;
    }

    /** Sets the wire handle when the memory descriptor is attached or bound. */
    void link(long instance, long name, @Nullable MatchEntry at) {
        interfaceCookie = instance;
        objectCookie = name;
        entry = at;
        state = at == null ? State.BOUND : State.ATTACHED;
    }

    /**
     * Returns whether this memory descriptor accepts no further operation. An exhausted memory descriptor matches no
     * message.
     */
    boolean isExhausted() {
        return threshold == 0 || (has(MdOption.MAX_SIZE) && localOffset + maxSize > length());
    }

    boolean isThresholdReached() {
        return threshold == 0;
    }

    /** Returns the offset in the memory descriptor's buffer at which an operation begins. */
    long startOf(long offset) {
        return has(MdOption.MANAGE_REMOTE) ? offset : localOffset;
    }

    /** Returns the maximum length of an operation at an offset; negative if the offset is beyond the buffer's end. */
    long roomAt(long start) {
        long room = Math.min(length() - start, Lnd.MAX_PAYLOAD);
        return has(MdOption.MAX_SIZE) ? Math.min(room, maxSize) : room;
    }

    /** Returns whether an operation has at most {@code room} bytes, or may be shortened by the option TRUNCATE. */
    boolean takes(long length, long room) {
        return room >= 0 && (length <= room || has(MdOption.TRUNCATE));
    }

    void begin(long nextOffset) {
        operations++;
        localOffset = nextOffset;
        if (threshold != INFINITE) {
            threshold--;
        }
    }

    void end() {
        operations--;
    }

    /** Stops accepting operations. If {@code byUser} is true, the events of operations in progress report ETIMEDOUT. */
    void startUnlinking(boolean byUser) {
        state = State.UNLINKING;
        aborted |= byUser;
        entry = null;
    }

    /** Returns whether LNet must unlink this memory descriptor now; false while an operation is in progress. */
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

    /** Builds a {@link MemoryDescriptor}. */
    public static final class Builder {
        /** A thread that never starts; used to check whether threads other than the owner may access a segment. */
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
         * {@return this builder, with more options}
         *
         * @param more the options to add
         */
        public Builder options(MdOption... more) {
            for (MdOption option : more) {
                optionMask |= option.mask();
            }
            return this;
        }

        /**
         * {@return this builder, with the given maximum number of operations on the memory descriptor}
         *
         * @param count 1 or more, or {@link #INFINITE}. Each PUT, GET, ACK and REPLY counts as one operation, so the
         *     initiator of a GET, or of a PUT with ACK, needs a threshold of 2
         * @throws IllegalArgumentException if the limit is invalid
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
         * {@return this builder, with the given maximum length, and with {@link MdOption#MAX_SIZE} set}
         *
         * @param bytes the maximum length of one operation in bytes, 0 or more
         * @throws IllegalArgumentException if the length is negative
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
         * {@return this builder, with the given policy for unlinking the memory descriptor}
         *
         * @param policy the policy, by default {@link UnlinkPolicy#UNLINK}
         */
        public Builder unlinkPolicy(UnlinkPolicy policy) {
            unlinkPolicy = policy;
            return this;
        }

        /**
         * {@return this builder, with the given event handler instead of an {@linkplain #eventQueue event queue}}
         *
         * @param handler the event handler
         */
        public Builder handler(LnetEventHandler handler) {
            this.handler = handler;
            hasHandler = true;
            eventQueue = null;
            return this;
        }

        /**
         * {@return this builder, with the given event queue instead of an {@linkplain #handler event handler}}
         *
         * @param queue an event queue, which must have been created with the {@link Lnet#runtime()} of the node that will
         *     use the memory descriptor
         */
        public Builder eventQueue(LnetEventQueue queue) {
            handler = NOBODY;
            hasHandler = false;
            eventQueue = queue;
            return this;
        }

        /**
         * {@return this builder, with the given object for {@link MemoryDescriptor#context}}
         *
         * @param context the object
         */
        public Builder context(Object context) {
            this.context = context;
            return this;
        }

        /**
         * {@return a memory descriptor that no operation uses yet}
         *
         * @throws IllegalArgumentException if the descriptor permits PUTs but its buffer is read-only
         */
        public MemoryDescriptor build() {
            if ((optionMask & MdOption.OP_PUT.mask()) != 0 && memory.isReadOnly()) {
                throw new IllegalArgumentException("OP_PUT is set but the memory is read-only");
            }
            return new MemoryDescriptor(this);
        }
    }
}
