package dev.verbena.cli;

import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import dev.verbena.verbs.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * What the two processes of a demo say to each other: small PUTs on a portal of its own, whose match bits say what they mean.
 * For one thread.
 */
final class Control {
    private static final int PORTAL = 11;
    /** The most bytes that go with a word. */
    static final int PAYLOAD = 32;

    private static final int WORDS = 256;
    private static final int BUFFERS = 2;
    private static final long ANY = -1;

    /** What is said, by the order of the exchange. */
    enum Word {
        /** Initiator: so much data in messages of that size. */
        HELLO,
        /** Target: there is room for it. */
        READY,
        /** Initiator: all is fetched back. */
        DONE,
        /** Target: the SHA-256 of what it keeps. */
        DIGEST,
        /** Initiator: keep so much data in messages of that size, under the name that goes with it. */
        KEEP,
        /** Initiator: let what has the name that goes with it be fetched. */
        FETCH,
        /** Target: there is nothing of that name, or no room. */
        REFUSED
    }

    private final LnetNode node;
    private final List<MemoryDescriptor> attached = new ArrayList<>();
    private final Deque<Heard> heard = new ArrayDeque<>();
    private boolean closed;

    Control(LnetNode node) {
        this.node = node;
        for (int i = 0; i < BUFFERS; i++) {
            attach();
        }
    }

    /** Adds room for many words, each of which has its own. */
    private synchronized void attach() {
        if (closed) {
            return;
        }
        MemoryDescriptor md = MemoryDescriptor.over(MemorySegment.ofArray(new byte[WORDS * PAYLOAD]))
                .options(MdOption.OP_PUT, MdOption.TRUNCATE)
                .maxSize(PAYLOAD)
                .handler(this::onEvent)
                .build();
        attached.add(md);
        node.attach(MatchEntry.on(PORTAL).ignoreBits(ANY).build(), md);
    }

    private void onEvent(LnetEvent event) {
        if (event.type() == LnetEventType.PUT && event.isSuccess()) {
            MemorySegment memory = event.memoryDescriptor().memory().slices().getFirst();
            byte[] payload = memory.asSlice(event.offset(), event.length()).toArray(ValueLayout.JAVA_BYTE);
            synchronized (this) {
                heard.add(new Heard(event.initiator(), event.matchBits(), event.hdrData(), payload));
            }
            node.runtime().wakeUp();
        }
        if (event.unlinked()) {
            synchronized (this) {
                attached.remove(event.memoryDescriptor());
            }
            attach();
        }
    }

    /** Listens no more. */
    void close() {
        List<MemoryDescriptor> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(attached);
        }
        open.forEach(node::unlink);
    }

    /** Waits for what must come next. */
    Heard await(Word expected, Duration timeout) throws DemoException, InterruptedException {
        Heard next = await(word -> true, expected.toString(), timeout);
        if (!next.is(expected)) {
            throw new DemoException(next.from() + " said " + next + ", not " + expected);
        }
        return next;
    }

    /** Waits for something of a kind; what else was said is kept. */
    Heard await(Predicate<Heard> wanted, String what, Duration timeout) throws DemoException, InterruptedException {
        node.runtime().await(() -> hasHeard(wanted), timeout);
        synchronized (this) {
            for (Heard each : heard) {
                if (wanted.test(each)) {
                    heard.remove(each);
                    return each;
                }
            }
        }
        throw new DemoException("the other process said nothing for " + timeout.toSeconds() + " seconds; " + what
                + " was to come from it");
    }

    /** Whether something of a kind was said that nobody has asked for yet. */
    synchronized boolean hasHeard(Predicate<Heard> wanted) {
        return heard.stream().anyMatch(wanted);
    }

    /** Says something, and waits until it has arrived. */
    void say(ProcessId to, Word word, long number, byte[] payload, Duration timeout)
            throws DemoException, InterruptedException {
        Queue<LnetEvent> outcome = new ConcurrentLinkedQueue<>();
        MemoryDescriptor descriptor = MemoryDescriptor.over(copy(payload))
                .threshold(2)
                .handler(event -> {
                    if (event.type() == LnetEventType.ACK || !event.isSuccess()) {
                        outcome.add(event);
                        node.runtime().wakeUp();
                    }
                })
                .build();
        node.put(descriptor, true, to, PORTAL, word.ordinal(), 0, number);
        BooleanSupplier ended = () -> !outcome.isEmpty();
        if (!node.runtime().await(ended, timeout) || !outcome.element().isSuccess()) {
            LnetEvent failure = outcome.peek();
            throw new DemoException(to + " does not answer"
                    + (failure == null ? "" : ": " + Errno.of(-failure.status()).description()));
        }
    }

    /** Says the last word to somebody who, having heard it, may be gone before anybody could tell that it has arrived. */
    void mention(ProcessId to, Word word, byte[] payload) {
        MemoryDescriptor descriptor =
                MemoryDescriptor.over(copy(payload)).threshold(1).build();
        node.put(descriptor, false, to, PORTAL, word.ordinal(), 0, 0);
    }

    private static MemorySegment copy(byte[] payload) {
        MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, payload.length));
        MemorySegment.copy(payload, 0, copy, ValueLayout.JAVA_BYTE, 0, payload.length);
        return copy.asSlice(0, payload.length);
    }

    /**
     * What the other process said.
     *
     * @param from who said it
     * @param word the number of the word
     * @param number the number with it
     * @param payload at most 32 bytes
     */
    record Heard(ProcessId from, long word, long number, byte[] payload) {
        boolean is(Word expected) {
            return word == expected.ordinal();
        }
    }
}
