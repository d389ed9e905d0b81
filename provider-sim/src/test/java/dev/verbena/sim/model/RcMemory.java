// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Executes the requests of one direction of a reliable connection on the model's memory, one after the other. After the
 * requests that succeeded, it executes as many packets of the next ones as explain the contents of the memory.
 */
final class RcMemory {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** The bytes that a request or one of its packets wrote. */
    private record Change(int request, int offset, byte[] bytes) {}

    private final End end;
    private final Host here;
    private final Host there;
    private final MemoryRange target;
    private final Sends sends;
    private final int messages;
    private final Setting setting;
    private final byte[] before;
    private final List<Change> changes = new ArrayList<>();

    RcMemory(End end, Sends sends, int messages, Setting setting) {
        this.end = end;
        here = end.host();
        there = end.peer().host();
        target = end.peer().target();
        this.sends = sends;
        this.messages = messages;
        this.setting = setting;
        before = there.expected(target);
    }

    void check() {
        for (int i = 0; i < sends.succeeded(); i++) {
            execute(end.requests.get(i));
        }
        explain();
        checkAnswers();
    }

    /** Executes a whole request. */
    private void execute(Request request) {
        switch (request.opcode) {
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM, ATOMIC_WRITE -> change(request, 0, request.length);
            case RDMA_READ -> here.put(request.sink, there.image(), request.remote, request.length);
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> executeAtomic(request);
            default -> {}
        }
    }

    private void change(Request request, int from, int length) {
        byte[] bytes = Arrays.copyOfRange(request.payload, from, from + length);
        there.put(request.remote + from, bytes, 0, length);
        changes.add(new Change(request.index, request.remote + from, bytes));
    }

    private void executeAtomic(Request request) {
        if (isCounting(request)) {
            // The value it found depends on other queue pairs; {@code FetchAddCheck} judges the words.
            MemoryRange sink = new MemoryRange(request.sink, Long.BYTES);
            request.found = (long) EIGHT.get(here.actual(sink), 0);
            here.adopt(sink);
            return;
        }
        byte[] found = there.expected(new MemoryRange(request.remote, Long.BYTES));
        here.put(request.sink, found, 0, Long.BYTES);
        changeAtomic(request, found);
    }

    private void changeAtomic(Request request, byte[] found) {
        long value = (long) EIGHT.get(found, 0);
        byte[] bytes = found.clone();
        if (request.opcode == SendOpcode.ATOMIC_FETCH_AND_ADD) {
            EIGHT.set(bytes, 0, value + request.operand);
        } else if (value == request.compare) {
            EIGHT.set(bytes, 0, request.operand);
        }
        there.put(request.remote, bytes, 0, Long.BYTES);
        changes.add(new Change(request.index, request.remote, bytes));
    }

    private static boolean isCounting(Request request) {
        Grant grant = request.grant;
        return grant != null && grant.kind() == Grant.Kind.COUNTER;
    }

    /** Finds the number of executed packets of the requests that did not succeed. */
    private void explain() {
        byte[] actual = there.actual(target);
        int received = 0;
        for (int i = 0; i < sends.succeeded(); i++) {
            received += end.requests.get(i).consumesReceive() ? 1 : 0;
        }
        int last = lastSuspect();
        for (int i = sends.succeeded(); i <= last && !isExplained(actual, received); i++) {
            Request request = end.requests.get(i);
            switch (request.opcode) {
                case RDMA_WRITE, RDMA_WRITE_WITH_IMM, ATOMIC_WRITE -> {
                    for (int from = 0; from < request.length && !isExplained(actual, received); ) {
                        int length = Math.min(setting.mtu().bytes(), request.length - from);
                        if (!isInside(request)) {
                            break;
                        }
                        change(request, from, length);
                        from += length;
                    }
                }
                case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> {
                    if (!isCounting(request) && isInside(request)) {
                        changeAtomic(request, there.expected(new MemoryRange(request.remote, Long.BYTES)));
                    }
                }
                default -> {}
            }
            received += request.consumesReceive() ? 1 : 0;
        }
        assertThat(isExplained(actual, received))
                .as(
                        "memory of %s after %d requests of %s that succeeded; it differs at byte %d",
                        end.peer(),
                        sends.succeeded(),
                        end,
                        target.offset() + Arrays.mismatch(actual, there.expected(target)))
                .isTrue();
    }

    /** Returns the index of the last request that the peer can have begun. */
    private int lastSuspect() {
        PolledCompletion failure = sends.failure();
        if (failure == null) {
            return end.requests.size() - 1;
        }
        WorkCompletionStatus status = failure.status();
        boolean refused = status == WorkCompletionStatus.REM_ACCESS_ERR
                || status == WorkCompletionStatus.REM_INV_REQ_ERR
                || status == WorkCompletionStatus.REM_OP_ERR;
        // A repeated READ may be refused although it was answered before and later requests were executed.
        boolean once = end.requests.get(sends.succeeded()).opcode != SendOpcode.RDMA_READ;
        return refused && once ? sends.succeeded() : end.requests.size() - 1;
    }

    private boolean isInside(Request request) {
        return request.remote >= target.offset() && request.remote + request.length <= target.end();
    }

    private boolean isExplained(byte[] actual, int received) {
        return received >= messages
                && Arrays.mismatch(
                                actual,
                                0,
                                actual.length,
                                there.image(),
                                target.offset(),
                                target.offset() + target.length())
                        < 0;
    }

    /**
     * Checks the answers to READs and atomics: each is the value at the request's place in the order, or one that a
     * repetition may have found.
     */
    private void checkAnswers() {
        for (Request request : end.requests) {
            boolean read = request.opcode == SendOpcode.RDMA_READ;
            if (!read && !request.opcode.isAtomic()) {
                continue;
            }
            boolean good = request.index < sends.succeeded();
            if (!request.mustFail.isEmpty() && !good) {
                continue;
            }
            MemoryRange sink = new MemoryRange(request.sink, request.length);
            byte[] actual = here.actual(sink);
            byte[] expected = here.expected(sink);
            for (int i = 0; i < actual.length; i++) {
                boolean allowed = actual[i] == expected[i]
                        || (good ? read && mayHaveFound(request, i, actual[i]) : mayHoldAnswer(request, i, actual[i]));
                if (!allowed) {
                    throw new AssertionError("byte " + i + " of the answer to " + request + " of " + end
                            + " is not the value that it must have found; found "
                            + HexFormat.of().formatHex(actual)
                            + " and not " + HexFormat.of().formatHex(expected));
                }
            }
            here.adopt(sink);
        }
    }

    /**
     * Returns whether a repeated READ may have found a value that a later request wrote, up to the next fenced request.
     */
    private boolean mayHaveFound(Request read, int index, byte value) {
        int fence = end.requests.size();
        for (int i = end.requests.size() - 1; i > read.index; i--) {
            fence = end.requests.get(i).fenced ? i : fence;
        }
        return changedTo(read.remote + index, value, read.index, fence);
    }

    private boolean mayHoldAnswer(Request request, int index, byte value) {
        return isCounting(request)
                || there.image()[request.remote + index] == value
                || wasAtFirst(request.remote + index, value)
                || changedTo(request.remote + index, value, -1, end.requests.size());
    }

    private boolean wasAtFirst(int offset, byte value) {
        int at = offset - target.offset();
        return at >= 0 && at < before.length && before[at] == value;
    }

    private boolean changedTo(int offset, byte value, int behind, int until) {
        for (Change change : changes) {
            int at = offset - change.offset;
            if (change.request > behind
                    && change.request < until
                    && at >= 0
                    && at < change.bytes.length
                    && change.bytes[at] == value) {
                return true;
            }
        }
        return false;
    }
}
