// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static dev.verbena.conformance.rules.Checks.assertStatuses;
import static dev.verbena.conformance.rules.Checks.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Event;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Pd;
import dev.verbena.conformance.side.Qp;
import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Arrays;
import java.util.List;

/** The rules of rule area STATE about the behavior of a queue pair in each state. */
public interface StateRules extends RuleSet {
    @Rule(
            id = "STATE-08",
            text = "After ERR, a queue pair that is reset and connected again works like a new queue pair.",
            source = "ibv_modify_qp(3); IBTA volume 1, section 10.3.1",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether RESET clears the PSNs, the timers and the requests that wait for a retransmission"})
    default void afterResetAQueuePairWorksLikeANewOne(@IntRange(max = 5) int pending, boolean failed) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            for (int i = 0; i < pending; i++) {
                ends.requester().send(i, 0, 8);
            }
            if (failed) {
                ends.requester().qp().modify(QpAttributes.error());
                Checks.assertFlushed(ends.requester().sends(), 0, pending);
            }
            ends.requester().qp().modify(QpAttributes.reset());
            ends.responder().qp().modify(QpAttributes.reset());
            pair.connect(ends, Connection.usual().withPsns(77, 99));
            ends.assertAlive(50);
            ends.assertQuiet();
        }
    }

    @Rule(
            id = "STATE-09",
            text = "In RTR, a queue pair executes the peer's requests and sends acknowledgements.",
            source = "IBTA volume 1, section 10.3.1 (RTR)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the queue pair states in which requests are accepted and acknowledgements are sent"})
    default void inRtrAQueuePairExecutesRequests() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            Connection.usual()
                    .secondToRtr(ends.responder().qp(), ends.requester().qp());
            Connection.usual().toRts(ends.requester().qp(), ends.responder().qp());
            ends.responder().receive(1, 0, 8);
            ends.requester().send(2, 0, 8);
            ends.responder().receives().awaitIds(1L);
            ends.requester().sends().awaitIds(2L);
        }
    }

    @Rule(
            id = "STATE-10",
            text = "In RESET, INIT and ERR, a queue pair consumes no receive and sends no response, so that the peer"
                    + " exhausts its retries.",
            source = "IBTA volume 1, section 10.3.1",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the queue pair states in which the peer's requests are dropped"})
    default void beforeRtrNoRequestGetsAResponse(QpState state) {
        try (Pair pair = pair()) {
            boolean deaf = state == QpState.RESET || state == QpState.INIT || state == QpState.ERR;
            QpState tried = deaf ? state : QpState.INIT;
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            States.bring(ends.responder().qp(), ends.requester().qp(), tried);
            Connection.usual()
                    .withRetries(AckTimeout.ofCode(8), 1)
                    .toRts(ends.requester().qp(), ends.responder().qp());
            ends.requester().send(2, 0, 8);
            assertStatuses(ends.requester().sends(), WorkCompletionStatus.RETRY_EXC_ERR);
            ends.responder().receives().assertQuiet();
            ends.responder().qp().assertState(tried);
        }
    }

    @Rule(
            id = "STATE-11",
            text = "Sends that are posted in SQD are executed only after the queue pair returns to RTS, in the order of"
                    + " posting.",
            source = "IBTA volume 1, section 10.3.1 (SQD); ibv_modify_qp(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.SQ_DRAIN},
            lookAt = {
                "whether a post in SQD starts the execution of the send queue",
                "whether the transition to RTS resumes the execution of the send queue"
            })
    default void inSqdSendsWait(@IntRange(min = 1, max = 8) int count) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            Qp qp = ends.requester().qp();
            qp.modify(QpAttributes.builder().state(QpState.SQD).build());
            for (int i = 0; i < count; i++) {
                ends.responder().receive(i, 0, 8);
                ends.requester().send(i, 0, 8);
            }
            ends.assertQuiet();
            qp.modify(QpAttributes.builder().state(QpState.RTS).build());
            ends.requester().sends().awaitIds(ids(0, count).toArray(Long[]::new));
            ends.responder().receives().awaitIds(ids(0, count).toArray(Long[]::new));
        }
    }

    @Rule(
            id = "STATE-12",
            text = "In SQD, a queue pair executes the peer's requests and sends acknowledgements, as in RTS.",
            source = "IBTA volume 1, section 10.3.1 (SQD)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.SQ_DRAIN},
            lookAt = {"the responder of a queue pair in SQD"})
    default void inSqdAQueuePairExecutesRequests() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            ends.responder()
                    .qp()
                    .modify(QpAttributes.builder().state(QpState.SQD).build());
            ends.responder().receive(1, 0, 8);
            ends.requester().send(2, 0, 8);
            ends.requester().sends().awaitIds(2L);
            ends.responder().receives().awaitIds(1L);
        }
    }

    @Rule(
            id = "STATE-13",
            text = "The event SQ_DRAINED is raised once, after all requests that were in flight at the transition to"
                    + " SQD have completed.",
            source = "ibv_modify_qp(3) (en_sqd_async_notify); IBTA volume 1, sections 10.3.1 and 11.6.3",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.SQ_DRAIN, Capability.ASYNC_EVENTS},
            lookAt = {"whether SQ_DRAINED is raised only after all sent requests are acknowledged"})
    default void sqDrainedIsRaisedOnce() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            // The peer has posted no receive, so all packets after the first one stay in flight until the peer posts a
            // receive.
            byte[] message = ends.requester().memory().fill(0, 2048, 1);
            ends.requester()
                    .send(Send.writeWithImmediate(1, ends.responder().at(0), 7)
                            .from(ends.requester().sge(0, 2048)));
            ends.responder().memory().await(0, Arrays.copyOf(message, 8));
            ends.requester()
                    .qp()
                    .modify(QpAttributes.builder()
                            .state(QpState.SQD)
                            .enableSqdAsyncNotify(true)
                            .build());
            assertEquals(0, pair.first().countInSilence(AsyncEventType.SQ_DRAINED), "unexpected events SQ_DRAINED");
            ends.responder().receive(2, 0, 8);
            ends.requester().sends().awaitIds(1L);
            assertEquals(
                    List.of(new Event(
                            AsyncEventType.SQ_DRAINED, ends.requester().qp().handle())),
                    pair.first().awaitEvents(1),
                    "asynchronous events");
            assertEquals(0, pair.first().countInSilence(AsyncEventType.SQ_DRAINED), "unexpected events SQ_DRAINED");
        }
    }

    @Rule(
            id = "STATE-14",
            text = "The transition to RESET drops all posted requests, and the dropped requests generate no"
                    + " completions. After this transition to RESET, the send queue and the receive queue have room for"
                    + " their full depth.",
            source = "ibv_modify_qp(3); IBTA volume 1, section 10.2.4.4",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the indices of the send queue and the receive queue after the transition to RESET"})
    default void resetEmptiesBothQueues(@IntRange(max = 16) int sends, @IntRange(max = 16) int receives) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End end = ends.requester();
            fill(end, sends, receives);
            end.qp().modify(QpAttributes.reset());
            end.qp().assertQuiet();
            States.bring(end.qp(), ends.responder().qp(), QpState.RTS);
            fill(
                    end,
                    end.qp().capabilities().maxSendWr(),
                    end.qp().capabilities().maxReceiveWr());
        }
    }

    private static void fill(End end, int sends, int receives) {
        for (int i = 0; i < sends; i++) {
            end.send(i, 0, 8);
        }
        for (int i = 0; i < receives; i++) {
            end.receive(i, 0, 8);
        }
    }

    @Rule(
            id = "STATE-15",
            text = "A send that fails with a local error moves a UD queue pair to SQE. In SQE, later sends are"
                    + " flushed, and the queue pair still receives datagrams. After the transition from SQE to RTS,"
                    + " the queue pair sends datagrams again.",
            source = "IBTA volume 1, section 10.3.1 (SQE); ibv_modify_qp(3)",
            needs = {Capability.UD, Capability.MANUAL_CONNECT},
            lookAt = {"whether a local error in the send queue of a UD queue pair moves the queue pair to ERR"})
    default void aFailedSendMovesADatagramQueuePairToSqe(@IntRange(max = 4) int behind) {
        try (Pair pair = pair()) {
            Shape shape = Shape.usual().withType(QpType.UD);
            Pair.Ends ends = pair.unconnected(shape, shape);
            States.ready(pair, ends);
            Datagrams from = Datagrams.of(ends.requester(), ends.responder());
            Datagrams back = Datagrams.of(ends.responder(), ends.requester());
            Region foreign = Pd.open(pair.first()).register(ends.requester().memory());
            Send[] list = new Send[behind + 1];
            list[0] = from.to(Send.send(0).from(foreign.sge(0, 8)));
            for (int i = 1; i <= behind; i++) {
                list[i] = from.send(i, 8);
            }
            ends.requester().send(list);
            WorkCompletionStatus[] expected = new WorkCompletionStatus[behind + 1];
            Arrays.fill(expected, WorkCompletionStatus.WR_FLUSH_ERR);
            expected[0] = WorkCompletionStatus.LOC_PROT_ERR;
            assertStatuses(ends.requester().sends(), expected);
            ends.requester().qp().assertState(QpState.SQE);
            back.assertPasses(1);
            ends.requester()
                    .qp()
                    .modify(QpAttributes.builder().state(QpState.RTS).build());
            from.assertPasses(2);
        }
    }

    @Rule(
            id = "STATE-16",
            text = "After a modify in RTS has removed an access right of a queue pair, the queue pair denies this"
                    + " access to the peer.",
            source = "ibv_modify_qp(3) (qp_access_flags)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether the responder uses a cached copy of the queue pair's old access rights"})
    default void accessRightsCanBeRemovedInRts() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            Send write = Send.write(1, ends.responder().at(0)).from(requester.sge(0, 8));
            requester.send(write);
            requester.sends().awaitIds(1L);
            ends.responder()
                    .qp()
                    .modify(QpAttributes.builder()
                            .access(AccessFlag.REMOTE_READ)
                            .build());
            requester.send(write);
            assertEquals(
                    false,
                    requester.sends().await(1).getFirst().status().isSuccess(),
                    "success of a WRITE whose right was removed");
        }
    }

    @Rule(
            id = "STATE-17",
            text = "After a call of modify, a query of the queue pair returns the attributes that the call has set.",
            source = "ibv_query_qp(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.QP_QUERY},
            lookAt = {"the encoding of attributes such as timeouts and the path MTU"})
    default void aQueryReturnsTheAttributesThatWereSet(
            @IntRange(min = 1, max = 31) int timeout,
            @IntRange(max = 7) int retries,
            @IntRange(max = 0xFF_FFFF) int psn) {
        try (Pair pair = pair()) {
            Connection connection = Connection.usual()
                    .withRetries(AckTimeout.ofCode(timeout), retries)
                    .withPsns(psn, psn ^ 0xFF_FFFF);
            Pair.Ends ends = pair.connected(connection);
            QpAttributes found = ends.requester().qp().query();
            assertEquals(connection.repetition().ackTimeout(), found.ackTimeout(), "timeout");
            assertEquals(retries, found.retryCount(), "retry count");
            assertEquals(connection.firstPsn(), found.sqPsn(), "packet number of the send queue");
            assertEquals(connection.secondPsn(), found.rqPsn(), "packet number of the receive queue");
            assertEquals(connection.access(), found.access(), "rights");
            assertEquals(ends.responder().qp().number(), found.destinationQpn(), "number of the peer's queue pair");
            assertErrno(
                    Errno.EINVAL,
                    () -> ends.requester()
                            .qp()
                            .modify(QpAttributes.builder()
                                    .capabilities(ends.requester().qp().capabilities())
                                    .build()));
            assertEquals(
                    connection.repetition().ackTimeout(),
                    ends.requester().qp().query().ackTimeout(),
                    "timeout after a modify that was refused");
        }
    }
}
