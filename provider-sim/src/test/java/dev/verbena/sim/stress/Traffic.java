// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.stress.SlotMemory.Piece;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Posts batches of requests from one side to the other, and checks every byte of each batch before the next. */
final class Traffic {
    /** The time within which the last message of a batch of UC arrives if it is not lost. */
    private static final Duration MOST_TRANSIT = Duration.ofMillis(500);

    private final Life life;
    private final Side near;
    private final Side far;
    private final SplittableRandom random;
    private final SendRequests requests;
    private final List<DataVerb> verbs;
    private final boolean reliable;
    /** Receives that are posted and not consumed, in order. */
    private final Deque<Message.Receive> receives = new ArrayDeque<>();

    /** The batch to check after the connection is closed, and those of its requests that succeeded. */
    private List<Message> unsettled = List.of();

    private final Set<Long> succeeded = new HashSet<>();
    private final MemorySegment pool;
    private long nextId = 1;
    private long nextReceive = 1;

    Traffic(Life life, Side near, Side far) {
        this.life = life;
        this.near = near;
        this.far = far;
        random = life.newRandom();
        pool = life.arena.allocate(Side.SLOTS * Life.MOST_BYTES, 8);
        requests = near.qp.newSendRequests(Side.SLOTS);
        verbs = DataVerb.of(near.qp.type());
        reliable = near.qp.type() == QpType.RC;
    }

    void run() throws InterruptedException {
        List<Message> last = List.of();
        for (int i = 0; i < life.batches && !life.isOver(); i++) {
            boolean again =
                    random.nextInt(3) == 0 && !last.isEmpty() && last.stream().allMatch(Traffic::isRepeatable);
            List<Message> batch = again ? last : newBatch();
            if (batch.isEmpty()) {
                return;
            }
            if (!postReceives(batch) || !execute(batch, again)) {
                life.end();
                return;
            }
            last = batch;
        }
    }

    /** Returns whether a request may be posted again unchanged. */
    private static boolean isRepeatable(Message message) {
        return (message.verb == DataVerb.SEND || message.verb == DataVerb.WRITE) && !message.carriesBytes();
    }

    private List<Message> newBatch() throws InterruptedException {
        int count = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(Side.SLOTS);
        // A burst consists of one kind only.
        @Nullable DataVerb only = random.nextInt(3) == 0 ? verbs.get(random.nextInt(verbs.size())) : null;
        List<Message> batch = new ArrayList<>();
        boolean invalidates = false;
        for (int slot = 0; slot < count; slot++) {
            DataVerb verb = only == null ? verbs.get(random.nextInt(verbs.size())) : only;
            if (verb == DataVerb.SEND_WITH_INV && invalidates) {
                verb = DataVerb.SEND;
            }
            boolean last = slot == count - 1;
            if (last && !reliable) {
                // The receiver's completion shows that all messages before it have arrived or are lost.
                verb = random.nextBoolean() ? DataVerb.SEND_WITH_IMM : DataVerb.WRITE_WITH_IMMEDIATE;
            }
            Message message = newMessage(verb, slot, last);
            if (verb == DataVerb.SEND_WITH_INV) {
                invalidates = true;
                if (!bindForInvalidation()) {
                    return List.of();
                }
                message.invalidated = far.invalidatedWindow.rkey();
            }
            batch.add(message);
        }
        return batch;
    }

    private boolean bindForInvalidation() throws InterruptedException {
        long id = far.postBind(far.invalidatedWindow);
        Side.Done done = id == 0 ? null : life.await(far, id);
        if (done == null || done.status() != WorkCompletionStatus.SUCCESS) {
            if (!life.isOver() && !life.allowsErrors()) {
                throw new AssertionError("binding a window at the peer: " + done);
            }
            life.end();
            return false;
        }
        return true;
    }

    private Message newMessage(DataVerb verb, int slot, boolean last) {
        int length = !verb.hasPayload() ? (verb == DataVerb.FLUSH ? 0 : Long.BYTES) : length();
        MemorySegment bytes = pool.asSlice(slot * Life.MOST_BYTES, length);
        boolean inline =
                verb.hasSource() && verb.hasPayload() && length <= Side.INLINE && length > 0 && random.nextInt(3) == 0;
        List<Piece> pieces = SlotMemory.divide(random, length, verb.hasPayload() && !inline ? 3 : 1);
        boolean signaled = last || random.nextBoolean();
        return new Message(verb, nextId++, slot, bytes, pieces, inline, reliable && random.nextInt(8) == 0, signaled);
    }

    private int length() {
        int most = (int) life.mostBytes;
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(Math.min(most, 256) + 1);
            case 1 -> random.nextInt(Math.min(most, 8192) + 1);
            default -> random.nextInt(most / 2, most + 1);
        };
    }

    /** Makes new bytes for a message, and writes them to its source. */
    private void compose(Message message) {
        switch (message.verb) {
            case READ -> {
                long begin = far.readable.memory().offset(0);
                message.bytes.copyFrom(far.readable.memory().memory().asSlice(begin, message.bytes.byteSize()));
            }
            case FETCH_ADD, COMP_SWAP -> {
                message.before = far.words.memory().word(message.slot);
                message.operand = random.nextLong();
                message.compare = random.nextInt(4) == 0 ? random.nextLong() : message.before;
                message.bytes.set(ValueLayout.JAVA_LONG, 0, message.before);
            }
            default -> SlotMemory.fill(message.bytes, random.nextLong());
        }
        if (message.verb.hasSource()) {
            near.source.memory().put(message.slot, message.pieces, message.bytes);
        }
    }

    private boolean postReceives(List<Message> batch) {
        for (Message message : batch) {
            if (message.verb.takesReceive()) {
                List<Piece> pieces = message.verb.isSend()
                        ? SlotMemory.divide(random, Math.max(1, message.bytes.byteSize()), 3)
                        : List.of(new Piece(0, 1));
                Message.Receive receive =
                        new Message.Receive(nextReceive, (int) (nextReceive % Side.RECEIVE_SLOTS), pieces);
                nextReceive++;
                message.receive = receive;
                if (!far.postReceive(receive)) {
                    if (!life.isOver() && !life.allowsErrors()) {
                        throw new AssertionError("a receive was refused");
                    }
                    return false;
                }
                receives.add(receive);
            }
        }
        return true;
    }

    /** Posts a batch and checks it; false if not all of it succeeded. */
    private boolean execute(List<Message> batch, boolean again) throws InterruptedException {
        for (int i = 0; i < batch.size(); i++) {
            Message message = batch.get(i);
            compose(message);
            if (!again) {
                message.fill(requests.get(i), near, far);
            }
        }
        int count = batch.size();
        int posted = near.qp.postSend(requests, count);
        // A request that was not posted must not arrive, which the check covers.
        unsettled = batch;
        succeeded.clear();
        if (posted < count) {
            if (!life.isOver() && !life.allowsErrors()) {
                throw new AssertionError("post: " + requests.refusal() + " for " + batch.get(posted));
            }
            return false;
        }
        long last = batch.getLast().id;
        boolean all = life.await(batch, () -> {
            near.collect();
            return near.isDone(last);
        });
        all &= note(batch);
        if (!all) {
            return false;
        }
        if (reliable) {
            for (Message message : batch) {
                check(message);
            }
        } else if (!checkUnreliable(batch)) {
            return false;
        }
        unsettled = List.of();
        return true;
    }

    /** Takes the completions of a batch; returns whether all of it succeeded. */
    private boolean note(List<Message> batch) {
        boolean laterSucceeded = false;
        boolean all = true;
        for (int i = batch.size() - 1; i >= 0; i--) {
            Message message = batch.get(i);
            Side.Done done = near.take(message.id);
            if (done == null) {
                // Unsignaled, or lost with the queue pair.
                all &= laterSucceeded;
            } else if (done.status() == WorkCompletionStatus.SUCCESS) {
                laterSucceeded = true;
            } else {
                all = false;
                if (!life.isOver()
                        && !life.allows(done.status())
                        && done.status() != WorkCompletionStatus.WR_FLUSH_ERR) {
                    throw new AssertionError(done.status() + " of " + message + "\n" + near.qp.explain());
                }
            }
            boolean success = laterSucceeded && (done == null || done.status() == WorkCompletionStatus.SUCCESS);
            if (success) {
                succeeded.add(message.id);
            }
        }
        return all;
    }

    /** Checks a message of a reliable connection that succeeded. */
    private void check(Message message) {
        life.counts.count(message.verb);
        checkMemory(message, true);
        Message.Receive receive = message.receive;
        if (!message.verb.takesReceive() || receive == null) {
            return;
        }
        receives.remove();
        far.collect();
        Side.Done done = far.received.poll();
        if (done == null && life.allowsErrors()) {
            // Closing the queue pair has removed its completion.
            return;
        }
        int data = message.verb.hasImmediate()
                ? message.immediate()
                : message.verb == DataVerb.SEND_WITH_INV ? message.invalidated : 0;
        assertThat(done)
                .as("the receive of %s", message)
                .isEqualTo(new Side.Done(receive.id(), WorkCompletionStatus.SUCCESS, message.bytes.byteSize(), data));
    }

    private void checkMemory(Message message, boolean whole) {
        SlotMemory memory;
        List<Piece> pieces = message.pieces;
        int slot = message.slot;
        switch (message.verb) {
            case FETCH_ADD, COMP_SWAP, ATOMIC_WRITE -> {
                SlotMemory words = far.words.memory();
                words.checkWord(slot, message.after(), whole && !life.isMoved(words), message);
                if (message.verb == DataVerb.ATOMIC_WRITE) {
                    return;
                }
                memory = near.landing.memory();
                if (life.isMoved(words)) {
                    memory.checkAround(slot, pieces, message);
                    return;
                }
            }
            case READ -> memory = near.landing.memory();
            case WRITE, WRITE_WITH_IMMEDIATE -> {
                memory = far.target.memory();
                pieces = List.of(new Piece(0, message.bytes.byteSize()));
            }
            case FLUSH -> {
                return;
            }
            default -> {
                Message.Receive receive = message.receive;
                if (receive == null) {
                    return;
                }
                memory = far.receiving.memory();
                pieces = cut(receive.pieces(), message.bytes.byteSize());
                slot = receive.slot();
            }
        }
        if (whole && !life.isMoved(memory)) {
            memory.checkWhole(slot, pieces, message.bytes, message);
        } else {
            memory.checkPrefix(slot, pieces, message.bytes, message);
        }
    }

    /** Returns the pieces of a receive that a message fills. */
    private static List<Piece> cut(List<Piece> pieces, long length) {
        return length == 0 ? List.of() : pieces;
    }

    /** Waits for the last message of a batch at its receiver, and checks the arrived ones; false if it is lost. */
    private boolean checkUnreliable(List<Message> batch) throws InterruptedException {
        Map<Integer, Message> sent = new HashMap<>();
        batch.forEach(message -> sent.put(message.immediate(), message));
        Map<Integer, Side.Done> arrived = new HashMap<>();
        int last = batch.getLast().immediate();
        life.place.await(
                () -> {
                    far.collect();
                    for (Side.Done done = far.received.poll(); done != null; done = far.received.poll()) {
                        arrived.put(done.status() == WorkCompletionStatus.SUCCESS ? done.data() : -1, done);
                    }
                    return life.isOver() || arrived.containsKey(last);
                },
                MOST_TRANSIT);
        for (Message message : batch) {
            Side.Done done = arrived.get(message.immediate());
            if (message.verb == DataVerb.SEND_WITH_IMM && done != null) {
                message.receive = receives.stream()
                        .filter(receive -> receive.id() == done.id())
                        .findFirst()
                        .orElseThrow();
                // The slot may first have got bytes of a message that was lost in the middle.
                checkArrived(message);
            } else if (message.verb.isWrite() && arrived.containsKey(last)) {
                checkMemory(message, message.verb == DataVerb.WRITE_WITH_IMMEDIATE && done != null);
            }
            if (message.verb == DataVerb.WRITE ? arrived.containsKey(last) : done != null) {
                life.counts.count(message.verb + " over UC");
            }
            if (done != null) {
                assertThat(done.length()).as("the length of %s", message).isEqualTo(message.bytes.byteSize());
            }
        }
        boolean complete = arrived.containsKey(last)
                && batch.stream()
                        .filter(message -> message.verb.takesReceive())
                        .allMatch(message -> arrived.containsKey(message.immediate()));
        if (complete) {
            receives.clear();
        }
        return complete;
    }

    private void checkArrived(Message message) {
        Message.Receive receive = message.receive;
        if (receive == null) {
            return;
        }
        SlotMemory memory = far.receiving.memory();
        if (life.isMoved(memory)) {
            memory.checkAround(receive.slot(), receive.pieces(), message);
            return;
        }
        long done = 0;
        for (Piece piece : receive.pieces()) {
            long part = Math.min(piece.length(), message.bytes.byteSize() - done);
            long at = memory.memory()
                    .asSlice(memory.offset(receive.slot()) + piece.offset(), part)
                    .mismatch(message.bytes.asSlice(done, part));
            assertThat(at).as("a byte of %s in %s", message, piece).isEqualTo(-1);
            done += part;
        }
        memory.checkAround(receive.slot(), receive.pieces(), message);
    }

    /** Checks the effects of the last batch after the end of the connection, when no write follows. */
    void finish() {
        for (Message message : unsettled) {
            if (reliable) {
                checkMemory(message, succeeded.contains(message.id));
            } else if (message.verb.isWrite()) {
                checkMemory(message, false);
            }
        }
        for (Message.Receive receive : receives) {
            if (!reliable) {
                far.receiving.memory().checkAround(receive.slot(), receive.pieces(), "the end");
            }
        }
        for (SlotMemory memory :
                List.of(far.target.memory(), far.receiving.memory(), far.words.memory(), near.landing.memory())) {
            memory.checkAll(life.name);
        }
    }
}
