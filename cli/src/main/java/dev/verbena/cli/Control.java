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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * What the two processes of a demo say to each other: small PUTs on a portal of its own, whose match bits say what they mean.
 * For one thread.
 */
final class Control {
    private static final int PORTAL = 11;
    private static final int PAYLOAD = 32;
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
        DIGEST
    }

    private final LnetNode node;
    private final MemorySegment received = Arena.ofAuto().allocate(PAYLOAD);
    private final Queue<LnetEvent> events = new ConcurrentLinkedQueue<>();

    Control(LnetNode node) {
        this.node = node;
        node.attach(
                MatchEntry.on(PORTAL).ignoreBits(ANY).build(),
                MemoryDescriptor.over(received)
                        .options(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .handler(this::onEvent)
                        .build());
    }

    private void onEvent(LnetEvent event) {
        events.add(event);
        node.runtime().wakeUp();
    }

    /** Waits for what must come next; null if nothing came in time. */
    Heard await(Word expected, Duration timeout) throws DemoException, InterruptedException {
        if (!node.runtime().await(() -> !events.isEmpty(), timeout)) {
            throw new DemoException("the other process said nothing for " + timeout.toSeconds() + " seconds; "
                    + expected + " was to come from it");
        }
        LnetEvent event = events.remove();
        if (!event.isSuccess() || event.matchBits() != expected.ordinal()) {
            throw new DemoException(event.initiator() + " said " + event + ", not " + expected);
        }
        return new Heard(event.initiator(), event.hdrData(), received.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Whether something was said that nobody has asked for yet. */
    boolean hasHeard() {
        return !events.isEmpty();
    }

    /** Says something, and waits until it has arrived. */
    void say(ProcessId to, Word word, long number, byte[] payload, Duration timeout)
            throws DemoException, InterruptedException {
        Queue<LnetEvent> outcome = new ConcurrentLinkedQueue<>();
        MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, payload.length));
        MemorySegment.copy(payload, 0, copy, ValueLayout.JAVA_BYTE, 0, payload.length);
        MemoryDescriptor descriptor = MemoryDescriptor.over(copy.asSlice(0, payload.length))
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

    /**
     * What the other process said.
     *
     * @param from who said it
     * @param number the number with it
     * @param payload 32 bytes, of which the sender filled as many as it sent
     */
    record Heard(ProcessId from, long number, byte[] payload) {}
}
