// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A device with its memory, and the model's image of that memory. In order, the memory has these areas: bytes that are
 * only read; the words that several queue pairs increment; an area for each queue pair, which its peer may change; and
 * a heap. Every receive and every answer has its own bytes of the heap, so that each byte shows its writer.
 */
final class Host {
    /** The number of bytes that are only read. */
    static final int SOURCE = 1 << 16;

    /** The number of bytes that the peer of one queue pair may change. */
    static final int TARGET = 20 << 10;

    private static final long IOVA = 0x7000_0000_0000L;
    private static final int WORDS = 64;
    private static final int GAP = 64;
    private static final int ENDS = 4;
    private static final int HEAP_START = SOURCE + WORDS + GAP + ENDS * (TARGET + GAP);
    private static final int BATCH = 32;
    private static final int CQ_CAPACITY = 4000;
    private static final int SRQ_DEPTH = 511;

    private static final List<byte[]> PATTERNS = List.of(pattern(0, 1 << 20), pattern(1, 1 << 20), pattern(2, 1 << 18));

    private final int number;
    private final Node node;
    private final byte[] image;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final WorkCompletions batch;
    private final MemoryRegion source;
    private final MemoryRegion counter;
    private final @Nullable SharedReceiveQueue srq;
    private final Map<Integer, End> ends = new LinkedHashMap<>();
    private final Map<Long, Slot> slots = new HashMap<>();
    private final List<Long> shared = new ArrayList<>();
    private final Set<Long> completed = new HashSet<>();
    private final List<Request> additions = new ArrayList<>();
    private int heap = HEAP_START;
    private int targets;

    Host(Lab lab, int number, String address, Setting setting) throws VerbsException {
        this.number = number;
        image = PATTERNS.get(number).clone();
        node = lab.node("sim" + number, address, image.length);
        MemorySegment.copy(image, 0, node.memory(), ValueLayout.JAVA_BYTE, 0, image.length);
        receiveCq = newCq();
        sendCq = setting.oneCq() ? receiveCq : newCq();
        batch = receiveCq.newCompletions(BATCH);
        source = register(new MemoryRange(0, SOURCE), EnumSet.of(AccessFlag.REMOTE_READ));
        counter = register(
                new MemoryRange(SOURCE, WORDS),
                EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC));
        // The words start at zero, so that each bit shows one addition.
        MemorySegment.copy(new byte[WORDS], 0, node.memory(), ValueLayout.JAVA_BYTE, SOURCE, WORDS);
        System.arraycopy(new byte[WORDS], 0, image, SOURCE, WORDS);
        srq = can(Capability.SRQ)
                ? node.domain()
                        .createSrq(SrqInitAttributes.builder()
                                .maxWr(SRQ_DEPTH)
                                .maxSge(ENDS)
                                .build())
                : null;
    }

    /**
     * Returns bytes of 0xD0 to 0xFB only. With other values, Wireshark's heuristics may mistake a payload and its
     * padding: Ethernet over InfiniBand for an EtherType, Mellanox EoIB for a header.
     */
    private static byte[] pattern(int seed, int bytes) {
        Random random = new Random(seed);
        byte[] pattern = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            pattern[i] = (byte) random.nextInt(0xD0, 0xFC);
        }
        return pattern;
    }

    private CompletionQueue newCq() throws VerbsException {
        return node.device()
                .createCq(CqInitAttributes.builder().capacity(CQ_CAPACITY).build());
    }

    /** Registers a part of the memory under addresses that are the same in every run. */
    MemoryRegion register(MemoryRange piece, Set<AccessFlag> rights) throws VerbsException {
        return node.domain()
                .registerMemory(node.memory().asSlice(piece.offset(), piece.length()), address(piece.offset()), rights);
    }

    /** Returns the address of a byte under the keys of this device. */
    static long address(int offset) {
        return IOVA + offset;
    }

    /** Returns the address under a kind of key: a fast registration uses the addresses of the memory itself. */
    long address(Grant.Kind kind, int offset) {
        return kind == Grant.Kind.FAST ? node.memory().address() + offset : address(offset);
    }

    boolean can(Capability capability) {
        return node.device().capabilities().contains(capability);
    }

    Node node() {
        return node;
    }

    CompletionQueue sendCq() {
        return sendCq;
    }

    CompletionQueue receiveCq() {
        return receiveCq;
    }

    MemoryRegion source() {
        return source;
    }

    MemoryRegion counter() {
        return counter;
    }

    @Nullable SharedReceiveQueue srq() {
        return srq;
    }

    /** Records a receive that was posted to a queue of this device. */
    void posted(Slot slot, boolean toShared) {
        slots.put(slot.id(), slot);
        if (toShared) {
            shared.add(slot.id());
        }
    }

    /** Checks that receives leave the shared queue in the order of posting, and that none is lost. */
    void checkShared() {
        int taken = shared.size();
        while (taken > 0 && !completed.contains(shared.get(taken - 1))) {
            taken--;
        }
        assertThat(completed)
                .as("receives that left the shared queue of %s, and completed", this)
                .containsAll(shared.subList(0, taken));
    }

    /** Returns the receive with an id, from whichever queue. */
    Slot slot(long id) {
        Slot slot = slots.get(id);
        assertThat(slot).as("receive %d of %s, completed", id, this).isNotNull();
        return slot;
    }

    /** Returns the requests that increment the words of this device, in the order of their bits. */
    List<Request> additions() {
        return additions;
    }

    /** Assigns a bit to an addition. */
    int countIn(Request request) {
        additions.add(request);
        return additions.size() - 1;
    }

    /** Returns the model's image of the memory. */
    byte[] image() {
        return image;
    }

    byte[] actual(MemoryRange piece) {
        return node.bytes(piece.offset(), piece.length());
    }

    byte[] expected(MemoryRange piece) {
        byte[] bytes = new byte[piece.length()];
        System.arraycopy(image, piece.offset(), bytes, 0, bytes.length);
        return bytes;
    }

    /** Writes bytes into the image. */
    void put(int offset, byte[] bytes, int from, int length) {
        System.arraycopy(bytes, from, image, offset, length);
    }

    /** Allocates unused bytes; null if there are none left. */
    @Nullable MemoryRange allocate(int length) {
        int rounded = (length + GAP + 7) & -8;
        if (heap + rounded > image.length) {
            return null;
        }
        MemoryRange piece = new MemoryRange(heap, length);
        heap += rounded;
        return piece;
    }

    /** Allocates the area that the peer of a further queue pair may change. */
    MemoryRange allocateTarget() {
        return new MemoryRange(SOURCE + WORDS + GAP + (TARGET + GAP) * targets++, TARGET);
    }

    void add(End end) {
        ends.put(end.number(), end);
    }

    /** Polls all completions and events. */
    void poll(long step, EventCounts tally) {
        poll(receiveCq, step);
        if (!sendCq.equals(receiveCq)) {
            poll(sendCq, step);
        }
        AsyncEventChannel events = node.device().asyncEvents();
        for (Optional<AsyncEvent> event = events.poll(); event.isPresent(); event = events.poll()) {
            tally.count(EventCounts.event(event.get().type()));
            QueuePair queuePair = event.get().queuePair();
            End end = queuePair == null ? null : ends.get(queuePair.number());
            if (end != null && event.get().type() == AsyncEventType.SQ_DRAINED) {
                end.drained = true;
            }
        }
    }

    private void poll(CompletionQueue queue, long step) {
        while (queue.poll(batch) > 0) {
            for (int i = 0; i < batch.count(); i++) {
                WorkCompletion completion = batch.get(i);
                End end = ends.get(completion.qpNumber());
                assertThat(end).as("queue pair of a completion").isNotNull();
                PolledCompletion done = PolledCompletion.of(completion, step);
                assertThat(End.isSend(done.id()) || completed.add(done.id()))
                        .as("%s is the first completion of its receive", done)
                        .isTrue();
                end.completed(done);
            }
        }
    }

    /**
     * Copies a byte of the memory into the image if it equals the byte that may have been written. Other bytes of the
     * image stay.
     */
    void adopt(int offset, byte[] written, int length) {
        byte[] now = actual(new MemoryRange(offset, length));
        for (int i = 0; i < length; i++) {
            if (now[i] == written[i]) {
                image[offset + i] = now[i];
            }
        }
    }

    /** Copies a part of the memory into the image. */
    void adopt(MemoryRange piece) {
        put(piece.offset(), actual(piece), 0, piece.length());
    }

    void verify() {
        long different = node.memory().mismatch(MemorySegment.ofArray(image));
        if (different >= 0) {
            throw new AssertionError("byte " + different + " of device " + number + " is not what the model says; "
                    + "its heap starts at " + HEAP_START + ", targets at " + (SOURCE + WORDS + GAP));
        }
    }

    /** Closes all objects. An object that cannot be closed shows a leak. */
    void close() throws VerbsException {
        if (srq != null) {
            srq.close();
        }
        receiveCq.close();
        if (!sendCq.equals(receiveCq)) {
            sendCq.close();
        }
        source.close();
        counter.close();
        node.region().close();
        node.domain().close();
        node.arena().close();
        node.device().close();
    }

    @Override
    public String toString() {
        return "device " + number;
    }
}
