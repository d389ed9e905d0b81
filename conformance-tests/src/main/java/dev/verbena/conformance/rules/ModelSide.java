// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.verbena.conformance.arbitraries.WorkRequest;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Cq;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Window;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The model of one of two connected queue pairs: the contents of its buffer, its posted work requests, and its expected
 * completions. The buffer has four ranges. Range 1 contains the data of SENDs and RDMA WRITEs to the peer; this data never
 * changes. The peer's RDMA WRITEs and atomics change range 2 of the buffer. Range 3 contains the results of the queue
 * pair's own RDMA READs and atomics, in order. Range 4 of the buffer contains the received messages, in order.
 */
final class ModelSide {
    /** The maximum number of outstanding send requests, and of outstanding receive requests. */
    static final int DEPTH = 16;

    static final int TARGET = 1024;
    static final int TARGET_BYTES = 1024;
    private static final int PLACES = 32;
    private static final int RESULTS = TARGET + TARGET_BYTES;
    private static final int RECEIVES = RESULTS + PLACES * WorkRequest.LONGEST;
    static final int BYTES = RECEIVES + PLACES * WorkRequest.LONGEST;
    private static final String FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.name();

    final End end;
    private final String name;
    private final byte[] memory;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Deque<Long> receives = new ArrayDeque<>();
    private final List<String> sendsDue = new ArrayList<>();
    private final List<String> receivesDue = new ArrayList<>();
    private @Nullable ModelSide peer;
    private String doing = "";
    private long nextId = 1;
    private long nextReceive = 1000;
    private long fetched;
    private int unsettled;
    private int reads;
    private @Nullable Window window;

    boolean paused;

    int windowKey;
    boolean bound;

    /** A request that the model has not executed yet, and the offset of its result. */
    private record Waiting(long id, WorkRequest request, int result) {}

    ModelSide(String name, End end) {
        this.name = name;
        this.end = end;
        end.memory().fill(0, TARGET, name.length());
        end.memory().write(TARGET, new byte[TARGET_BYTES]);
        memory = end.memory().contents();
    }

    void peer(ModelSide other) {
        peer = other;
    }

    ModelSide peer() {
        if (peer == null) {
            throw new IllegalStateException("a side without a peer");
        }
        return peer;
    }

    void doing(String step) {
        doing = step;
    }

    /** Returns the current operation of the random sequence, as a prefix of a failure message. */
    String text() {
        return "at " + doing + ": ";
    }

    int sendsTaken() {
        return waiting.size() + unsettled;
    }

    int receivesTaken() {
        return receives.size() + receivesDue.size();
    }

    boolean isIdle() {
        return waiting.isEmpty();
    }

    boolean hasReceive() {
        return !receives.isEmpty();
    }

    boolean hasWindow() {
        return window != null;
    }

    /** Returns the memory window of this queue pair. The first call creates the memory window. */
    Window window() {
        Window made = window == null ? end.pd().window(MemoryWindowType.TYPE_2) : window;
        window = made;
        return made;
    }

    byte[] get(int offset, int length) {
        return Arrays.copyOfRange(memory, Memory.GUARD + offset, Memory.GUARD + offset + length);
    }

    void put(int offset, byte[] bytes) {
        System.arraycopy(bytes, 0, memory, Memory.GUARD + offset, bytes.length);
    }

    /**
     * Posts one batch. The last request of a batch is signaled, so that the completion frees the queue slots of the batch.
     * If a request consumes a receive of the peer, the preceding request is signaled. A request that consumes a receive may
     * complete late, because the peer must first post the receive. After an RDMA READ, each RDMA WRITE and each atomic
     * operation is fenced. Without the fence, a retransmitted READ could return the bytes that the later request changed.
     */
    void post(List<WorkRequest> requests) {
        Send[] list = new Send[requests.size()];
        for (int i = 0; i < list.length; i++) {
            boolean last = i == list.length - 1 || requests.get(i + 1).needsReceive();
            WorkRequest request = last ? requests.get(i).withSignaled(true) : requests.get(i);
            if (request.opcode() == SendOpcode.RDMA_READ) {
                reads++;
            } else if (reads > 0 && !request.opcode().name().startsWith("SEND")) {
                request = request.withFenced();
            }
            int local = request.fetches() ? RESULTS + (int) (fetched++ % PLACES) * WorkRequest.LONGEST : 0;
            waiting.add(new Waiting(nextId, request, local));
            list[i] = request.toSend(nextId++, end.region(), local, peer().end.region(), TARGET);
        }
        end.send(list);
    }

    /**
     * Posts a work request, and adds its completion to the completions that must arrive. The caller applies the effect of
     * the work request to the model's memory contents.
     */
    void postAlone(LongFunction<Send> request, String opcode) {
        end.send(request.apply(nextId));
        sendsDue.add(nextId++ + " " + opcode);
        unsettled++;
    }

    void postReceives(int count) {
        for (int i = 0; i < count; i++) {
            end.receive(nextReceive, placeOf(nextReceive), WorkRequest.LONGEST);
            receives.add(nextReceive++);
        }
    }

    private static int placeOf(long receive) {
        return RECEIVES + (int) (receive % PLACES) * WorkRequest.LONGEST;
    }

    /** Moves the oldest posted receive to the expected completions, and returns its work request id. */
    long received(String what) {
        long id = receives.remove();
        receivesDue.add(id + " " + what);
        return id;
    }

    /**
     * Executes the posted send requests in order, and changes the model's memory contents. Stops at a send request that
     * consumes a receive request while the peer has none. Returns whether the model executed at least one request.
     */
    boolean advance() {
        boolean progress = false;
        while (!paused && !waiting.isEmpty() && (!waiting.element().request().needsReceive() || peer().hasReceive())) {
            execute(waiting.remove());
            progress = true;
        }
        return progress;
    }

    private void execute(Waiting next) {
        WorkRequest request = next.request();
        ModelSide other = peer();
        int place = TARGET + request.at();
        String opcode = request.opcode().name();
        switch (request.opcode()) {
            case SEND -> other.put(placeOf(other.received("RECV " + request.length())), get(0, request.length()));
            case SEND_WITH_IMM -> {
                String what = "RECV " + request.length() + " immediate " + request.operand();
                other.put(placeOf(other.received(what)), get(0, request.length()));
                opcode = "SEND";
            }
            case RDMA_WRITE -> other.put(place, get(0, request.length()));
            case RDMA_WRITE_WITH_IMM -> {
                other.put(place, get(0, request.length()));
                other.received("RECV_RDMA_WITH_IMM " + request.length() + " immediate " + request.operand());
                opcode = "RDMA_WRITE";
            }
            case RDMA_READ -> put(next.result(), other.get(place, request.length()));
            case ATOMIC_FETCH_AND_ADD, ATOMIC_CMP_AND_SWP -> {
                opcode = other.atomic(request, place, this, next.result());
            }
            default -> throw new IllegalStateException("no model of " + request);
        }
        if (request.signaled()) {
            sendsDue.add(next.id() + " " + opcode);
        }
        unsettled++;
    }

    private String atomic(WorkRequest request, int place, ModelSide requester, int result) {
        ByteBuffer word = ByteBuffer.wrap(get(place, Long.BYTES)).order(ByteOrder.nativeOrder());
        long former = word.getLong(0);
        requester.put(result, get(place, Long.BYTES));
        boolean adds = request.opcode() == SendOpcode.ATOMIC_FETCH_AND_ADD;
        if (adds) {
            word.putLong(0, former + request.operand());
        } else if (former == 0) {
            word.putLong(0, request.operand());
        }
        put(place, word.array());
        return adds ? "FETCH_ADD" : "COMP_SWAP";
    }

    /** Waits for all expected completions, and compares them with the polled completions. */
    void settle() {
        compare("sends", end.sends(), sendsDue);
        compare("receives", end.receives(), receivesDue);
        unsettled = 0;
        reads = waiting.isEmpty() ? 0 : reads;
    }

    private void compare(String which, Cq queue, List<String> due) {
        List<String> found = new ArrayList<>();
        for (Completion completion : queue.await(due.size())) {
            found.add(completion.id() + " " + textOf(completion));
        }
        assertEquals(due, found, () -> text() + "completions of the " + which + " of " + name);
        due.clear();
    }

    private static String textOf(Completion completion) {
        if (!completion.status().isSuccess()) {
            return completion.status().name();
        }
        StringBuilder text = new StringBuilder(completion.opcode().orElseThrow().name());
        if (completion.opcode().orElseThrow().isReceive()) {
            text.append(' ').append(completion.byteLength());
            completion.immediate().ifPresent(data -> text.append(" immediate ").append(data));
            completion
                    .invalidated()
                    .ifPresent(key -> text.append(" invalidated ").append(key));
        }
        return text.toString();
    }

    /** Expects a flush completion for each outstanding send request and receive request. */
    void flush() {
        if (!waiting.isEmpty() && waiting.element().request().opcode() == SendOpcode.RDMA_WRITE_WITH_IMM) {
            // Without a posted receive, only the last packet of an RDMA WRITE with immediate data fails, so the peer's
            // memory may contain the payload of the earlier packets.
            peer().mayHold(
                            TARGET + waiting.element().request().at(),
                            waiting.element().request().length());
        }
        waiting.forEach(each -> sendsDue.add(each.id() + " " + FLUSHED));
        waiting.clear();
        receives.forEach(id -> receivesDue.add(id + " " + FLUSHED));
        receives.clear();
    }

    private void mayHold(int offset, int length) {
        byte[] found = end.memory().read(offset, length);
        byte[] sent = peer().get(0, length);
        byte[] before = get(offset, length);
        for (int i = 0; i < length; i++) {
            if (found[i] != before[i] && found[i] != sent[i]) {
                fail(text() + "byte " + (offset + i) + " of " + name + " has neither its old nor the written value");
            }
        }
        put(offset, found);
    }

    /** Resets the queue pair, which removes all posted work requests, and closes the local memory window. */
    void forget() {
        end.qp().modify(QpAttributes.reset());
        if (window != null) {
            window.close();
        }
        window = null;
        bound = false;
        paused = false;
    }

    void assertMemory() {
        end.memory().assertHolds(memory);
    }
}
