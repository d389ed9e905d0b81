// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static dev.verbena.conformance.rules.Checks.assertRefusedAt;
import static dev.verbena.conformance.rules.Checks.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Cq;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Pd;
import dev.verbena.conformance.side.Qp;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.conformance.side.Step;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;

/** The rules of rule area LIMITS: a device supports the full value of each of its limits, and refuses larger values. */
public interface LimitRules extends RuleSet {
    private static DeviceAttributes limits(Pair pair) {
        return pair.first().facts().attributes();
    }

    private static Qp qp(Pair pair, QpCapabilities capabilities) {
        Cq queue = Cq.open(pair.first(), 16);
        return Pd.open(pair.first()).qp(QpType.RC, queue, queue, capabilities);
    }

    @Rule(
            id = "LIMITS-01",
            text = "The queues of a queue pair can have a depth up to max_qp_wr; a greater depth is refused with"
                    + " EINVAL.",
            source = "ibv_query_device(3); ibv_create_qp(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether the requested depth is compared with max_qp_wr before any rounding of the depth"})
    default void queuesCanHaveTheMaximumDepth() {
        try (Pair pair = pair()) {
            int most = limits(pair).maxQpWr();
            Qp qp = qp(pair, QpCapabilities.of(most, most));
            assertTrue(qp.capabilities().maxSendWr() >= most, () -> "granted: " + qp.capabilities());
            assertErrno(Errno.EINVAL, () -> qp(pair, QpCapabilities.of(most + 1, 1)));
            assertErrno(Errno.EINVAL, () -> qp(pair, QpCapabilities.of(1, most + 1)));
        }
    }

    @Rule(
            id = "LIMITS-02",
            text = "A work request can have up to max_sge scatter-gather entries, and all entries are transferred."
                    + " Creating a queue pair for more than max_sge entries is refused with EINVAL.",
            source = "ibv_query_device(3); ibv_create_qp(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the comparison of the requested number of scatter-gather entries with max_sge"})
    default void requestsCanHaveTheMaximumNumberOfEntries() {
        try (Pair pair = pair()) {
            int most = limits(pair).maxSge();
            Pair.Ends ends = pair.connected(Shape.usual().withSges(most, most));
            Send send = Send.send(1);
            for (int i = 0; i < most; i++) {
                send = send.from(ends.requester().sge(2L * i, 1));
            }
            ends.responder().receive(1, 0, most);
            ends.requester().send(send);
            ends.requester().sends().awaitIds(1L);
            assertEquals(
                    most, ends.responder().receives().await(1).getFirst().byteLength(), "length in the completion");
            assertErrno(Errno.EINVAL, () -> qp(pair, QpCapabilities.of(1, 1).withMaxSendSge(most + 1)));
            assertErrno(Errno.EINVAL, () -> qp(pair, QpCapabilities.of(1, 1).withMaxReceiveSge(most + 1)));
        }
    }

    @Rule(
            id = "LIMITS-03",
            text = "A completion queue can have a capacity up to max_cqe; a greater capacity is refused with EINVAL.",
            source = "ibv_query_device(3); ibv_create_cq(3)",
            needs = {},
            lookAt = {"whether the requested capacity is compared with max_cqe before any rounding of the capacity"})
    default void completionQueuesCanHaveTheMaximumCapacity() {
        try (Pair pair = pair()) {
            int most = limits(pair).maxCqe();
            assertTrue(Cq.open(pair.first(), most).capacity() >= most, "granted capacity");
            assertErrno(Errno.EINVAL, () -> Cq.open(pair.first(), most + 1));
        }
    }

    @Rule(
            id = "LIMITS-04",
            text = "A shared receive queue can have a depth up to max_srq_wr; a greater depth is refused with EINVAL.",
            source = "ibv_query_device(3); ibv_create_srq(3)",
            needs = {Capability.SRQ},
            lookAt = {"the comparisons of the depth with max_srq_wr, and of the number of entries with max_srq_sge"})
    default void sharedReceiveQueuesCanHaveTheMaximumDepth() {
        try (Pair pair = pair()) {
            Pd pd = Pd.open(pair.first());
            int most = limits(pair).maxSrqWr();
            int entries = limits(pair).maxSrqSge();
            assertTrue(pd.srq(most, 1, 0).granted().maxWr() >= most, "granted receives");
            assertTrue(pd.srq(1, entries, 0).granted().maxSge() >= entries, "granted entries");
            assertErrno(Errno.EINVAL, () -> pd.srq(most + 1, 1, 0));
            assertErrno(Errno.EINVAL, () -> pd.srq(1, entries + 1, 0));
        }
    }

    @Rule(
            id = "LIMITS-05",
            text = "A completion queue can be created on each completion vector; a vector number beyond the last one"
                    + " is refused with EINVAL.",
            source = "ibv_create_cq(3) (comp_vector)",
            needs = {},
            lookAt = {"the comparison of the vector number with num_comp_vectors"})
    default void everyCompletionVectorCanBeUsed() {
        try (Pair pair = pair()) {
            int vectors = limits(pair).completionVectors();
            for (int vector = 0; vector < vectors; vector++) {
                Cq.open(pair.first(), 1, vector, Step.Announce.NOT);
            }
            assertErrno(Errno.EINVAL, () -> Cq.open(pair.first(), 1, vectors, Step.Announce.NOT));
        }
    }

    @Rule(
            id = "LIMITS-06",
            text = "A queue pair is granted at least the requested queue sizes, and the granted sizes can be used.",
            source = "ibv_create_qp(3) (cap)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether a queue size that was rounded up can be used completely"})
    default void grantedQueueSizesCanBeUsed(@IntRange(min = 1, max = 100) int asked) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withDepths(asked, asked));
            End end = ends.requester();
            int granted = end.qp().capabilities().maxSendWr();
            assertTrue(granted >= asked, () -> "granted: " + end.qp().capabilities());
            ends.requester().qp().modify(QpAttributes.error());
            end.qp().modify(QpAttributes.reset());
            States.bring(end.qp(), ends.responder().qp(), QpState.RTS);
            for (int i = 0; i < granted; i++) {
                end.send(i, 0, 8);
            }
            assertRefusedAt(0, Errno.ENOMEM, end.qp().post(Send.send(granted)));
        }
    }

    @Rule(
            id = "LIMITS-07",
            text = "A completion queue has room for the number of completions that was granted at its creation.",
            source = "ibv_create_cq(3) (cqe)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the use of the last slot of the completion queue"})
    default void aCompletionQueueCanBeFilled(@IntRange(min = 1, max = 40) int asked) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            Cq queue = Cq.open(pair.first(), asked);
            int capacity = queue.capacity();
            assertTrue(capacity >= asked, () -> "granted: " + capacity);
            End end = ends.requester().withQp(Shape.usual().withDepths(capacity, 1), queue, Cq.open(pair.first(), 4));
            States.bring(end.qp(), ends.responder().qp(), QpState.ERR);
            for (int i = 0; i < capacity; i++) {
                end.send(i, 0, 8);
            }
            assertEquals(0, pair.first().countInSilence(AsyncEventType.CQ_ERR), "unexpected events CQ_ERR");
            assertEquals(ids(0, capacity), Completion.ids(queue.await(capacity)), "ids of the completions");
        }
    }

    @Rule(
            id = "LIMITS-08",
            text = "A program can post more RDMA READs than may be outstanding; the excess RDMA READs wait, and all"
                    + " RDMA READs complete.",
            source = "ibv_modify_qp(3) (max_rd_atomic); IBTA volume 1, section 9.4.4",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"the increments and decrements of the count of outstanding RDMA READs and atomics"})
    default void excessReadsWaitAndComplete(
            @IntRange(min = 1, max = 4) int depth, @IntRange(min = 1, max = 16) int reads) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Connection.usual().withReadDepth(depth));
            End requester = ends.requester();
            for (int i = 0; i < reads; i++) {
                requester.send(Send.read(i, ends.responder().at(0)).from(requester.sge(0, 200)));
            }
            requester.sends().awaitIds(ids(0, reads).toArray(Long[]::new));
        }
    }

    @Rule(
            id = "LIMITS-09",
            text = "A max_dest_rd_atomic above max_qp_rd_atom is refused with EINVAL.",
            source = "ibv_query_device(3) and ibv_modify_qp(3) (max_dest_rd_atomic)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.RDMA_READ},
            lookAt = {"the comparison of max_dest_rd_atomic with max_qp_rd_atom"})
    default void excessResponderResourcesAreRefused() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            Qp qp = ends.requester().qp();
            int most = limits(pair).maxQpRdAtom();
            qp.modify(Connection.usual().init(qp));
            QpAttributes rtr = Connection.usual().rtr(qp, ends.responder().qp());
            if (most < 255) {
                assertErrno(
                        Errno.EINVAL,
                        () -> qp.modify(
                                rtr.toBuilder().maxDestRdAtomic(most + 1).build()));
            }
            qp.modify(rtr.toBuilder().maxDestRdAtomic(Math.min(255, most)).build());
            qp.assertState(QpState.RTR);
        }
    }

    @Rule(
            id = "LIMITS-10",
            text = "A queue pair can be created with the device's maximum of inline data, and can send this number of"
                    + " bytes inline.",
            source = "ibv_create_qp(3) (max_inline_data)",
            needs = {Capability.RC, Capability.INLINE_DATA},
            lookAt = {"the room for inline data in each slot of the send queue"})
    default void theMaximumOfInlineDataCanBeSent() {
        try (Pair pair = pair()) {
            int most = limits(pair).maxInlineData();
            Pair.Ends ends = pair.connected(
                    Shape.usual().withCapabilities(Shape.usual().capabilities().withMaxInlineData(most)));
            assertTrue(ends.requester().qp().capabilities().maxInlineData() >= most, "granted inline data");
            ends.responder().receive(1, 0, Math.max(1, most));
            ends.requester()
                    .send(Send.send(2).from(ends.requester().sge(0, most)).inline());
            assertEquals(
                    most, ends.responder().receives().await(1).getFirst().byteLength(), "length in the completion");
            ends.requester().sends().awaitIds(2L);
        }
    }
}
