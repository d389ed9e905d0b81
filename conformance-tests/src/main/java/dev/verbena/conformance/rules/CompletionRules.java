// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertFlushed;
import static dev.verbena.conformance.rules.Checks.assertStatuses;
import static dev.verbena.conformance.rules.Checks.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.From;
import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.arbitraries.Size;
import dev.verbena.conformance.arbitraries.WorkRequest;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Cq;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The rules of rule area COMP about the number and order of completions. */
public interface CompletionRules extends RuleSet {
    @Rule(
            id = "COMP-01",
            text = "A successful request of a send queue has one completion if it is signaled, and otherwise no"
                    + " completion. A receive that a message consumed has one completion, and this completion contains"
                    + " the length of the message. The requests of each queue complete in the order of posting.",
            source = "ibv_post_send(3); ibv_poll_cq(3); IBTA volume 1, sections 10.8.3.3 and 10.8.5",
            lookAt = {
                "the completion of several requests by one acknowledgement",
                "the combination of sq_sig_all with the signaled flag of each request"
            })
    default void exactlyTheSignaledRequestsCompleteInOrder(@Size(min = 1, max = 16) List<Boolean> signaled) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            int count = signaled.size();
            List<Long> expected = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ends.responder().receive(100 + i, 0, 64);
            }
            for (int i = 0; i < count; i++) {
                requester.send(Send.send(i).from(requester.sge(0, 1 + i)).signaled(signaled.get(i)));
                if (signaled.get(i)) {
                    expected.add((long) i);
                }
            }
            List<Completion> received = ends.responder().receives().await(count);
            requester.sends().awaitIds(expected.toArray(Long[]::new));
            assertEquals(ids(100, count), Completion.ids(received), "ids of the completions");
            for (int i = 0; i < count; i++) {
                assertEquals(WorkCompletionStatus.SUCCESS, received.get(i).status(), "how a receive ended");
                assertEquals(1L + i, received.get(i).byteLength(), "length of message " + i);
            }
            ends.assertQuiet();
        }
    }

    @Rule(
            id = "COMP-02",
            text = "When a queue pair moves to ERR, every request in its queues completes once with WR_FLUSH_ERR,"
                    + " signaled or not. The requests of each queue complete in the order of posting.",
            source = "ibv_modify_qp(3); IBTA volume 1, sections 10.3.1 and 10.8.5",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {
                "the flush of receives",
                "the flush of requests that were already sent",
                "the flush of requests that wait for the RNR timer"
            })
    default void theTransitionToErrFlushesAllRequestsInOrder(
            @Size(max = 16) List<Boolean> signaled, @IntRange(max = 16) int receives) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            // The peer has posted no receive, so no SEND can complete before it is flushed.
            post(ends.requester(), signaled, receives);
            ends.requester().qp().modify(QpAttributes.error());
            assertFlushed(ends.requester().sends(), 0, signaled.size());
            assertFlushed(ends.requester().receives(), 100, receives);
            ends.assertQuiet();
        }
    }

    private static void post(End end, List<Boolean> signaled, int receives) {
        for (int i = 0; i < signaled.size(); i++) {
            end.send(Send.send(i).from(end.sge(0, 8)).signaled(signaled.get(i)));
        }
        for (int i = 0; i < receives; i++) {
            end.receive(100 + i, 0, 8);
        }
    }

    @Rule(
            id = "COMP-03",
            text = "In ERR, posts are still accepted, and each posted request completes once with WR_FLUSH_ERR.",
            source = "IBTA volume 1, section 10.3.1; the kernel function ib_drain_qp",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether a post in ERR starts the flush", "the completion of unsignaled requests posted in ERR"})
    default void requestsPostedInErrAreFlushed(
            @Size(min = 1, max = 16) List<Boolean> signaled, @IntRange(max = 16) int receives) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            ends.requester().qp().modify(QpAttributes.error());
            post(ends.requester(), signaled, receives);
            assertFlushed(ends.requester().sends(), 0, signaled.size());
            assertFlushed(ends.requester().receives(), 100, receives);
            ends.requester().qp().assertQuiet();
        }
    }

    @Rule(
            id = "COMP-04",
            text = "On a queue pair that is created with sq_sig_all, every send request completes, whether its"
                    + " signaled flag is set or not.",
            source = "ibv_create_qp(3) (sq_sig_all)",
            lookAt = {"the combination of sq_sig_all with the signaled flag of the request"})
    default void withSqSigAllEverySendCompletes(@Size(min = 1, max = 16) List<Boolean> signaled) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withSignalAll());
            for (int i = 0; i < signaled.size(); i++) {
                ends.responder().receive(i, 0, 8);
            }
            post(ends.requester(), signaled, 0);
            ends.requester().sends().awaitIds(ids(0, signaled.size()).toArray(Long[]::new));
            ends.requester().qp().assertQuiet();
        }
    }

    @Rule(
            id = "COMP-05",
            text = "Requests of different operations and lengths complete in the order of posting.",
            source = "IBTA volume 1, sections 9.5 and 10.8.5",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"whether a SEND or an RDMA WRITE can complete before an RDMA READ that was posted earlier"})
    default void differentOperationsCompleteInOrder(
            @Size(min = 1, max = 12) List<@From(WorkRequest.Plain.class) WorkRequest> requests) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Connection.usual().withMtu(PathMtu.MTU_256));
            End requester = ends.requester();
            for (int i = 0; i < requests.size(); i++) {
                ends.responder().receive(i, 0, WorkRequest.LONGEST);
            }
            List<Long> expected = new ArrayList<>();
            for (int i = 0; i < requests.size(); i++) {
                requester.send(requests.get(i)
                        .toSend(i, requester.region(), 0, ends.responder().region(), 0));
                if (requests.get(i).signaled()) {
                    expected.add((long) i);
                }
            }
            requester.sends().awaitIds(expected.toArray(Long[]::new));
            requester.qp().assertQuiet();
        }
    }

    @Rule(
            id = "COMP-06",
            text = "A failed request has a completion, whether it is signaled or not. The unsignaled requests before"
                    + " the failed request have no completion.",
            source = "ibv_post_send(3) (IBV_SEND_SIGNALED); IBTA volume 1, section 10.8.5",
            lookAt = {"the completion of a failed request without the signaled flag"})
    default void aFailedUnsignaledRequestCompletes(@IntRange(max = 5) int before) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            for (int i = 0; i < before; i++) {
                requester.send(Send.write(i, ends.responder().at(0))
                        .from(requester.sge(0, 8))
                        .unsignaled());
            }
            int badKey = ends.responder().region().rkey() ^ 0x100;
            requester.send(Send.write(77, ends.responder().region().address(), badKey)
                    .from(requester.sge(0, 8))
                    .unsignaled());
            Completion failed = requester.sends().await(1).getFirst();
            assertEquals(77, failed.id(), "the request that failed");
            assertEquals(WorkCompletionStatus.REM_ACCESS_ERR, failed.status(), "how it failed");
            requester.qp().assertQuiet();
        }
    }

    @Rule(
            id = "COMP-10",
            text = "If a program posts a send request in ERR, the request is flushed after all earlier requests of the"
                    + " send queue have completed.",
            source = "the kernel function ib_drain_qp; IBTA volume 1, section 10.3.1",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether a flushed request can complete before an earlier request that was already sent"})
    default void aMarkerInErrIsFlushedLast(@IntRange(max = 8) int sends, @IntRange(max = 8) int received) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            for (int i = 0; i < received; i++) {
                ends.responder().receive(i, 0, 8);
            }
            post(ends.requester(), Collections.nCopies(sends, true), 0);
            ends.requester().qp().modify(QpAttributes.error());
            ends.requester().send(Send.send(99));
            List<Completion> found = ends.requester().sends().await(sends + 1);
            List<Long> expected = new ArrayList<>(ids(0, sends));
            expected.add(99L);
            assertEquals(expected, Completion.ids(found), "ids of the completions");
            ends.requester().qp().assertQuiet();
        }
    }

    @Rule(
            id = "COMP-11",
            text = "After a queue pair is modified to RESET or closed, polling returns no completion of this queue"
                    + " pair, not even completions from before.",
            source = "IBTA volume 1, sections 10.2.4.4 and 10.3.1; the Javadoc of QueuePair.modify",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether the reset or close of a queue pair removes the queue pair's completions from the CQ"})
    default void resetRemovesTheCompletionsOfTheQueuePair(@IntRange(max = 8) int done, boolean close) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            for (int i = 0; i < done; i++) {
                ends.responder().receive(i, 0, 8);
            }
            post(ends.requester(), Collections.nCopies(8, true), 3);
            if (done > 0) {
                // The responder's message follows its acknowledgements, so the completions are in the queue by then.
                ends.responder().receives().await(done);
                ends.responder().send(0, 0, 8);
                ends.requester().receives().await(1);
            }
            pair.first().silence();
            if (close) {
                ends.requester().qp().close();
            } else {
                ends.requester().qp().modify(QpAttributes.reset());
            }
            ends.requester().sends().assertQuiet();
            ends.requester().receives().assertQuiet();
        }
    }

    @Rule(
            id = "COMP-12",
            text = "Resizing a completion queue preserves its completions and their order.",
            source = "ibv_resize_cq(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.CQ_RESIZE},
            lookAt = {"whether the resize copies the completions in order if the completion queue's ring wraps"})
    default void aResizedCompletionQueueKeepsItsCompletions(
            @IntRange(max = 16) int held, @IntRange(max = 16) int polled, @IntRange(min = 16, max = 100) int capacity) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            Cq queue = ends.requester().sends();
            ends.requester().qp().modify(QpAttributes.error());
            post(ends.requester(), Collections.nCopies(polled, true), 0);
            queue.await(polled);
            for (int i = 0; i < held; i++) {
                ends.requester().send(Send.send(i));
            }
            pair.first().silence();
            queue.resize(capacity);
            assertFlushed(queue, 0, held);
            queue.assertQuiet();
        }
    }

    @Rule(
            id = "COMP-13",
            text = "The request whose error moved the queue pair to ERR completes with the status of this error. Every"
                    + " request after the failed request is flushed, and every request before the failed request has"
                    + " succeeded.",
            source = "IBTA volume 1, section 10.10.2.3; ibv_poll_cq(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the flush after a failed request", "the completion of earlier unacknowledged requests"})
    default void aFailureFlushesTheLaterRequests(@IntRange(max = 5) int before, @IntRange(max = 5) int behind) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Connection.usual().withRnr(RnrRetryCount.of(1), RnrTimer.ofCode(1)));
            End requester = ends.requester();
            for (int i = 0; i < before; i++) {
                ends.responder().receive(i, 0, 8);
            }
            post(requester, Collections.nCopies(before + 1 + behind, true), 0);
            WorkCompletionStatus[] expected = new WorkCompletionStatus[before + 1 + behind];
            Arrays.fill(expected, 0, before, WorkCompletionStatus.SUCCESS);
            expected[before] = WorkCompletionStatus.RNR_RETRY_EXC_ERR;
            Arrays.fill(expected, before + 1, expected.length, WorkCompletionStatus.WR_FLUSH_ERR);
            assertStatuses(requester.sends(), expected);
            requester.qp().assertQuiet();
        }
    }

    @Rule(
            id = "COMP-14",
            text = "The completion of a send request reports the operation, for example SEND, RDMA_WRITE or RDMA_READ.",
            source = "ibv_poll_cq(3) (opcode)",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"the translation of a request's opcode to the different opcode number of its completion"})
    default void theCompletionReportsTheOperation() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            ends.responder().receive(1, 0, 8);
            requester.send(1, 0, 8);
            requester.send(Send.write(2, ends.responder().at(0)).from(requester.sge(0, 8)));
            requester.send(Send.read(3, ends.responder().at(0)).from(requester.sge(0, 8)));
            assertEquals(
                    List.of(WorkCompletionOpcode.SEND, WorkCompletionOpcode.RDMA_WRITE, WorkCompletionOpcode.RDMA_READ),
                    requester.sends().await(3).stream()
                            .map(done -> done.opcode().orElseThrow())
                            .toList(),
                    "opcodes of the completions");
            assertEquals(
                    Optional.of(WorkCompletionOpcode.RECV),
                    ends.responder().receives().await(1).getFirst().opcode(),
                    "opcode of the receive's completion");
        }
    }
}
