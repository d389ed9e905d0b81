// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

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
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Sends and receives the control messages between the initiator and the target of a transfer. A control message is a PUT of
 * at most 32 bytes. Only control messages use the portal {@code PORTAL}. The match bits of a control message contain its
 * type ({@link Word}) and the transaction id of the transfer. The sender's NID and PID and the transaction id identify the
 * session ({@link Conversation}) of a control message. If a control message arrives again before it is read, its session
 * stores it once. The control messages HELLO, KEEP and FETCH each start a session. {@code Control} drops a message that
 * neither starts a session nor belongs to an existing one, such as a delayed message. Thread-safe.
 */
public final class Control {
    static final int PORTAL = 11;
    /** The maximum payload of a control message, in bytes. */
    public static final int PAYLOAD = 32;

    /**
     * The maximum number of HELLO, KEEP and FETCH messages in the target's queue. If a HELLO, KEEP or FETCH arrives while
     * the queue is full, the target drops the oldest message in the queue.
     */
    private static final int MOST_QUESTIONS = 64;

    private static final Duration SAY_AGAIN = Duration.ofSeconds(5);

    private static final int WORDS = 256;
    private static final int BUFFERS = 2;
    private static final long ANY = -1;

    /** The types of control messages of a transfer. Match bits 0 to 15 of a message contain the ordinal of its type. */
    public enum Word {
        /**
         * The initiator announces the data that it will send; {@code hdr_data} contains the total size and the size of
         * each message.
         */
        HELLO,
        /** The target has attached memory descriptors for the initiator's PUTs and GETs. */
        READY,
        /** The initiator has fetched all data back from the target. */
        DONE,
        /** The target reports the SHA-256 of its copy of the data. */
        DIGEST,
        /**
         * The initiator asks the target to store a file. The header data contains the size of the file and the size of
         * a message, and the payload is the file's name.
         */
        KEEP,
        /** The initiator asks for the file whose name is in the payload. */
        FETCH,
        /** The target node has no stored file of the requested name, or no space for a new file. */
        REFUSED;

        /** Returns whether a control message of this type starts a session at the target. */
        boolean isQuestion() {
            return this == HELLO || this == KEEP || this == FETCH;
        }

        private static Optional<Word> of(int ordinal) {
            return ordinal < values().length ? Optional.of(values()[ordinal]) : Optional.empty();
        }
    }

    /** A received control message of a file transfer, with its header data and its payload of at most 32 bytes. */
    public record Heard(ProcessId from, Transaction transaction, Word word, long number, byte[] payload) {
        public boolean is(Word expected) {
            return word == expected;
        }
    }

    private record Key(ProcessId peer, Transaction transaction) {}

    private final LnetNode node;
    private final List<MemoryDescriptor> attached = new ArrayList<>();
    private final Map<Key, Conversation> conversations = new HashMap<>();
    private final Deque<Heard> questions = new ArrayDeque<>();
    private boolean closed;

    public Control(LnetNode node) {
        this.node = node;
        for (int i = 0; i < BUFFERS; i++) {
            attach();
        }
    }

    /** Attaches a receive buffer for many control messages, each of which occupies its own range of the buffer. */
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
            Word.of(Transaction.low(event.matchBits()))
                    .ifPresent(word -> hear(new Heard(
                            event.initiator(), Transaction.of(event.matchBits()), word, event.hdrData(), payload)));
        }
        if (event.unlinked()) {
            synchronized (this) {
                attached.remove(event.memoryDescriptor());
            }
            attach();
        }
    }

    private void hear(Heard heard) {
        synchronized (this) {
            Conversation conversation = conversations.get(new Key(heard.from, heard.transaction));
            if (conversation != null) {
                conversation.heard.putIfAbsent(heard.word, heard);
            } else if (heard.word.isQuestion()) {
                if (questions.size() == MOST_QUESTIONS) {
                    questions.remove();
                }
                questions.add(heard);
            }
        }
        node.runtime().wakeUp();
    }

    void close() {
        List<MemoryDescriptor> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(attached);
        }
        open.forEach(node::unlink);
    }

    /** Starts the session in which this node and the peer send the control messages of one transfer. */
    public Conversation begin(ProcessId peer, Transaction transaction) {
        return new Conversation(new Key(peer, transaction));
    }

    /** Waits for a message of a type in {@code kinds}. Drops each HELLO, KEEP or FETCH that is not in {@code kinds}. */
    Optional<Heard> awaitQuestion(Set<Word> kinds, Duration timeout) throws InterruptedException {
        node.runtime().await(() -> hasQuestion(kinds), timeout);
        synchronized (this) {
            return hasQuestion(kinds) ? Optional.of(questions.remove()) : Optional.empty();
        }
    }

    private synchronized boolean hasQuestion(Set<Word> kinds) {
        while (!questions.isEmpty() && !kinds.contains(questions.element().word)) {
            questions.remove();
        }
        return !questions.isEmpty();
    }

    /** The session of two nodes for the control messages of one transfer, until {@link #close}. Not thread-safe. */
    public final class Conversation implements AutoCloseable {
        private final Key key;
        private final Map<Word, Heard> heard = new EnumMap<>(Word.class);

        private Conversation(Key key) {
            this.key = key;
            synchronized (Control.this) {
                if (conversations.putIfAbsent(key, this) != null) {
                    throw new IllegalStateException(key + " is open already");
                }
            }
        }

        public ProcessId peer() {
            return key.peer;
        }

        public Transaction transaction() {
            return key.transaction;
        }

        /** Returns whether this session contains an unread control message of the given type. */
        boolean hasHeard(Word word) {
            synchronized (Control.this) {
                return heard.containsKey(word);
            }
        }

        public Heard await(Duration timeout, Word... wanted) throws DemoException, InterruptedException {
            node.runtime().await(() -> List.of(wanted).stream().anyMatch(this::hasHeard), timeout);
            synchronized (Control.this) {
                for (Word word : wanted) {
                    if (heard.containsKey(word)) {
                        return Objects.requireNonNull(heard.remove(word));
                    }
                }
            }
            throw new DemoException(
                    "the other process did not send " + wanted[0] + " within " + timeout.toSeconds() + " seconds");
        }

        /**
         * Sends a control message, and waits until the peer has received it. A peer whose receive buffers are full
         * drops control messages, so {@code say} resends the message every {@code SAY_AGAIN} until the ACK arrives. The
         * peer counts a resent message once.
         */
        public void say(Word word, long number, byte[] payload, Duration timeout)
                throws DemoException, InterruptedException {
            Queue<LnetEvent> outcome = new ConcurrentLinkedQueue<>();
            List<MemoryDescriptor> said = new ArrayList<>();
            long end = node.runtime().nanoTime() + timeout.toNanos();
            try {
                for (long left = timeout.toNanos();
                        left > 0 && outcome.isEmpty();
                        left = end - node.runtime().nanoTime()) {
                    said.add(put(word, number, payload, outcome));
                    node.runtime()
                            .await(() -> !outcome.isEmpty(), Duration.ofNanos(Math.min(left, SAY_AGAIN.toNanos())));
                }
            } finally {
                said.forEach(node::unlink);
            }
            LnetEvent first = outcome.peek();
            if (first == null || !first.isSuccess()) {
                throw new DemoException(key.peer + " does not answer"
                        + (first == null ? "" : ": " + Errno.of(-first.status()).description()));
            }
        }

        private MemoryDescriptor put(Word word, long number, byte[] payload, Queue<LnetEvent> outcome) {
            MemoryDescriptor descriptor = MemoryDescriptor.over(copy(payload))
                    .threshold(2)
                    .handler(event -> {
                        if (event.type() == LnetEventType.ACK || !event.isSuccess()) {
                            outcome.add(event);
                            node.runtime().wakeUp();
                        }
                    })
                    .build();
            node.put(descriptor, true, key.peer, PORTAL, key.transaction.bits(word.ordinal()), 0, number);
            return descriptor;
        }

        /**
         * Sends a transfer's last control message. Requests no LNet ACK, because the peer's process may exit before it
         * sends one.
         */
        void mention(Word word, byte[] payload) {
            MemoryDescriptor descriptor =
                    MemoryDescriptor.over(copy(payload)).threshold(1).build();
            node.put(descriptor, false, key.peer, PORTAL, key.transaction.bits(word.ordinal()), 0, 0);
        }

        /** Closes this session: later messages with its transaction id are dropped, unless they start a new session. */
        @Override
        public void close() {
            synchronized (Control.this) {
                conversations.remove(key);
            }
        }
    }

    private static MemorySegment copy(byte[] payload) {
        MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, payload.length));
        MemorySegment.copy(payload, 0, copy, ValueLayout.JAVA_BYTE, 0, payload.length);
        return copy.asSlice(0, payload.length);
    }
}
