// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertRefusedAt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.arbitraries.Size;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.WorkCompletionOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** The rules of rule area ATOMIC: compare-and-swap and fetch-and-add. */
public interface AtomicRules extends RuleSet {
    private static Pair.Ends connected(Pair pair) {
        return pair.connected(shape(), connection());
    }

    private static Shape shape() {
        return Shape.usual()
                .withAccess(
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC);
    }

    private static Connection connection() {
        return Connection.usual().withAccess(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
    }

    private static void put(End end, long offset, long value) {
        end.memory()
                .write(
                        offset,
                        ByteBuffer.allocate(8)
                                .order(ByteOrder.nativeOrder())
                                .putLong(value)
                                .array());
    }

    private static long get(End end, long offset) {
        return ByteBuffer.wrap(end.memory().read(offset, 8))
                .order(ByteOrder.nativeOrder())
                .getLong();
    }

    @Rule(
            id = "ATOMIC-01",
            text = "Fetch-and-add adds its operand, modulo 2^64, to eight bytes of the peer's memory, and returns the"
                    + " previous value of these bytes.",
            source = "ibv_post_send(3); IBTA volume 1, section 9.4.5.2",
            needs = {Capability.RC, Capability.ATOMICS},
            lookAt = {"the byte order of the operand, of the memory and of the result"})
    default void fetchAndAddAddsAndReturnsThePreviousValue(long start, long add) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            put(ends.responder(), 64, start);
            ends.requester()
                    .send(Send.fetchAndAdd(1, ends.responder().at(64), add)
                            .from(ends.requester().sge(8, 8)));
            ends.requester().sends().awaitIds(1L);
            assertEquals(start, get(ends.requester(), 8), "what was there before");
            assertEquals(start + add, get(ends.responder(), 64), "what is there now");
        }
    }

    @Rule(
            id = "ATOMIC-02",
            text = "Compare-and-swap stores its new value only if eight bytes of the peer's memory equal the compared"
                    + " value, and returns the previous value of these bytes.",
            source = "ibv_post_send(3); IBTA volume 1, section 9.4.5.1",
            needs = {Capability.RC, Capability.ATOMICS},
            lookAt = {"the order of the compare field and the swap field in the AtomicETH"})
    default void compareAndSwapStoresOnlyIfEqual(long start, long other, long swap, boolean equal) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            long compare = equal ? start : other;
            put(ends.responder(), 64, start);
            ends.requester()
                    .send(Send.compareAndSwap(1, ends.responder().at(64), compare, swap)
                            .from(ends.requester().sge(8, 8)));
            ends.requester().sends().awaitIds(1L);
            assertEquals(start, get(ends.requester(), 8), "what was there before");
            assertEquals(compare == start ? swap : start, get(ends.responder(), 64), "what is there now");
        }
    }

    @Rule(
            id = "ATOMIC-03",
            text = "If several queue pairs execute atomic operations on the same bytes, no update is lost.",
            source = "IBTA volume 1, section 9.4.5; ibv_query_device(3) (atomic_cap)",
            needs = {Capability.RC, Capability.ATOMICS},
            lookAt = {"the lock or the instruction that makes the atomic operations of several queue pairs atomic"})
    default void concurrentAtomicsLoseNoUpdate(@Size(min = 1, max = 16) List<Boolean> which) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            Pair.Ends others = pair.another(ends, shape(), connection());
            put(ends.responder(), 0, 0);
            for (int i = 0; i < which.size(); i++) {
                End end = which.get(i) ? ends.requester() : others.requester();
                end.send(Send.fetchAndAdd(i, ends.responder().at(0), 1).from(end.sge(8L + 8L * i, 8)));
            }
            ends.requester().sends().awaitIds(indexes(which, true));
            others.requester().sends().awaitIds(indexes(which, false));
            assertEquals(which.size(), get(ends.responder(), 0), "what all atomics together left");
            List<Long> found = new ArrayList<>();
            for (int i = 0; i < which.size(); i++) {
                found.add(get(ends.requester(), 8L + 8L * i));
            }
            found.sort(null);
            assertEquals(LongStream.range(0, which.size()).boxed().toList(), found, "former values");
        }
    }

    private static Long[] indexes(List<Boolean> list, boolean wanted) {
        return LongStream.range(0, list.size())
                .filter(i -> list.get((int) i) == wanted)
                .boxed()
                .toArray(Long[]::new);
    }

    @Rule(
            id = "ATOMIC-04",
            text = "If the response to an atomic operation is lost, the operation is retransmitted but executed only"
                    + " once, and returns the same previous value.",
            source = "IBTA volume 1, section 9.7.5.1.5",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.ATOMICS},
            rig = {Needs.FAULTS},
            lookAt = {"the responder's record of the atomic operations that it has answered"})
    default void aRetransmittedAtomicIsExecutedOnce(long start, @IntRange(min = 1, max = 3) int lost) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(shape(), connection().withRetries(AckTimeout.ofCode(12), 7));
            put(ends.responder(), 0, start);
            pair.fault(Faults.loseFirst(ends.responder().qp(), lost));
            ends.requester()
                    .send(Send.fetchAndAdd(1, ends.responder().at(0), 1)
                            .from(ends.requester().sge(8, 8)));
            ends.requester().sends().awaitIds(1L);
            assertEquals(start, get(ends.requester(), 8), "what was there before");
            assertEquals(start + 1, get(ends.responder(), 0), "what is there now");
        }
    }

    @Rule(
            id = "ATOMIC-05",
            text = "An atomic fails and changes nothing if the region or the queue pair lacks REMOTE_ATOMIC.",
            source = "ibv_reg_mr(3); ibv_modify_qp(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.ATOMICS},
            lookAt = {"the access rights that atomic operations require"})
    default void anAtomicNeedsRemoteAtomicAccess(boolean ofRegion) {
        try (Pair pair = pair()) {
            Pair.Ends ends = ofRegion
                    ? pair.connected(shape(), Shape.usual(), connection())
                    : pair.connected(shape(), Connection.usual());
            byte[] before = ends.responder().memory().contents();
            ends.requester()
                    .send(Send.fetchAndAdd(1, ends.responder().at(0), 1)
                            .from(ends.requester().sge(8, 8)));
            assertFalse(
                    ends.requester().sends().await(1).getFirst().status().isSuccess(),
                    "success of an atomic that is not granted");
            ends.responder().memory().assertHolds(before);
        }
    }

    @Rule(
            id = "ATOMIC-06",
            text = "An atomic at an address that is not a multiple of 8 is refused or fails, and changes nothing.",
            source = "ibv_post_send(3); IBTA volume 1, section 9.4.5",
            needs = {Capability.RC, Capability.ATOMICS},
            lookAt = {"the check of the alignment of the remote address"})
    default void anAtomicNeedsAnAlignedAddress(@IntRange(min = 1, max = 7) int misaligned) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            byte[] before = ends.responder().memory().contents();
            Send send = Send.fetchAndAdd(1, ends.responder().at(misaligned), 1)
                    .from(ends.requester().sge(8, 8));
            if (ends.requester().qp().post(send).taken() == 1) {
                assertFalse(
                        ends.requester().sends().await(1).getFirst().status().isSuccess(),
                        "success of an atomic on unaligned bytes");
            }
            ends.responder().memory().assertHolds(before);
        }
    }

    @Rule(
            id = "ATOMIC-07",
            text = "An atomic whose local buffer is not 8 bytes long is refused with EINVAL.",
            source = "the Javadoc of SendWorkRequest.fetchAndAdd; ibv_post_send(3)",
            needs = {Capability.RC, Capability.ATOMICS},
            lookAt = {"whether the post checks that the scatter-gather entry of an atomic operation is 8 bytes long"})
    default void anAtomicNeedsABufferOfEightBytes(@IntRange(max = 16) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            Send send = Send.fetchAndAdd(1, ends.responder().at(0), 1)
                    .from(ends.requester().sge(8, length == 8 ? 9 : length));
            assertRefusedAt(0, Errno.EINVAL, ends.requester().qp().post(send));
            ends.requester().qp().assertQuiet();
        }
    }

    @Rule(
            id = "ATOMIC-08",
            text = "An RDMA WRITE, an atomic operation and an RDMA READ of the same eight bytes, posted in this order,"
                    + " are executed in this order. The atomic operation changes only these bytes.",
            source = "IBTA volume 1, section 9.5",
            needs = {Capability.RC, Capability.ATOMICS, Capability.RDMA_READ},
            lookAt = {"the order in which the responder executes requests"})
    default void anAtomicIsExecutedInOrder() {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            End requester = ends.requester();
            put(requester, 0, 40);
            byte[] expected = ends.responder().memory().contents();
            requester.send(
                    Send.write(1, ends.responder().at(128)).from(requester.sge(0, 8)),
                    Send.fetchAndAdd(2, ends.responder().at(128), 2).from(requester.sge(8, 8)),
                    Send.read(3, ends.responder().at(128)).from(requester.sge(16, 8)));
            requester.sends().awaitIds(1L, 2L, 3L);
            assertEquals(40, get(requester, 8), "what the atomic brought");
            assertEquals(42, get(requester, 16), "what the READ brought");
            byte[] sum = requester.memory().read(16, 8);
            ends.responder().memory().assertHolds(Memory.patched(expected, 128, sum));
        }
    }

    @Rule(
            id = "ATOMIC-11",
            text = "The completion of an atomic operation reports the opcode FETCH_ADD or COMP_SWAP, and the length 8.",
            source = "ibv_poll_cq(3) (IBV_WC_FETCH_ADD, IBV_WC_COMP_SWAP, byte_len); IBTA volume 1, section 11.4.2.1",
            needs = {Capability.RC, Capability.ATOMICS},
            lookAt = {"the mapping of opcodes from requests to completions", "the length in the completion"})
    default void anAtomicCompletionReportsOpcodeAndLength(boolean adds) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            End requester = ends.requester();
            Send.RemoteMemory target = ends.responder().at(64);
            Send send = adds ? Send.fetchAndAdd(1, target, 1) : Send.compareAndSwap(1, target, 0, 1);
            requester.send(send.from(requester.sge(8, 8)));
            Completion completion = requester.sends().await(1).getFirst();
            assertEquals(
                    Optional.of(adds ? WorkCompletionOpcode.FETCH_ADD : WorkCompletionOpcode.COMP_SWAP),
                    completion.opcode(),
                    "opcode in the completion");
            assertEquals(8, completion.byteLength(), "length in the completion");
        }
    }
}
