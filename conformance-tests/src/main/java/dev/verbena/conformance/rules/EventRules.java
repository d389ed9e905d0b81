// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertStatuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Cq;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Event;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.conformance.side.Step;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;

/** The rules of rule area EVENT about completion events and asynchronous events. */
public interface EventRules extends RuleSet {
    /** Returns connected ends. The responder's receive CQ has a completion channel or a completion handler. */
    private static Pair.Ends announcing(Pair pair, boolean byChannel) {
        Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
        Cq queue = Cq.open(pair.second(), 32, 0, byChannel ? Step.Announce.CHANNEL : Step.Announce.HANDLER);
        End responder = ends.responder().withQp(Shape.usual(), Cq.open(pair.second(), 32), queue);
        Pair.Ends announcing = new Pair.Ends(ends.requester(), responder);
        pair.connect(announcing, Connection.usual());
        for (int i = 0; i < 8; i++) {
            responder.receive(i, 0, 8);
        }
        return announcing;
    }

    private static void pass(Pair.Ends ends, boolean solicited) {
        Send send = Send.send(1).from(ends.requester().sge(0, 8));
        ends.requester().send(solicited ? send.solicited() : send);
        ends.requester().sends().awaitIds(1L);
    }

    @Rule(
            id = "EVENT-01",
            text = "An armed completion queue raises one completion event, for the next completion. The completion"
                    + " queue raises another completion event only after it is armed again.",
            source = "ibv_req_notify_cq(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.COMPLETION_CHANNEL},
            lookAt = {"whether the first completion event disarms the completion queue"})
    default void anArmedCompletionQueueRaisesOneEvent(boolean byChannel, @IntRange(min = 1, max = 4) int messages) {
        try (Pair pair = pair()) {
            Pair.Ends ends = announcing(pair, byChannel);
            Cq queue = ends.responder().receives();
            queue.arm(Notification.NEXT_COMPLETION);
            for (int i = 0; i < messages; i++) {
                pass(ends, false);
            }
            assertEquals(1, queue.awaitCompletionEvents(1), "announcements");
            assertEquals(1, queue.completionEventsInSilence(), "announcements");
            queue.arm(Notification.NEXT_COMPLETION);
            pass(ends, false);
            assertEquals(2, queue.awaitCompletionEvents(2), "announcements");
        }
    }

    @Rule(
            id = "EVENT-02",
            text = "A completion queue that is not armed raises no completion event.",
            source = "ibv_req_notify_cq(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.COMPLETION_CHANNEL},
            lookAt = {"whether a completion queue is armed when it is created"})
    default void anUnarmedCompletionQueueRaisesNoEvent(boolean byChannel) {
        try (Pair pair = pair()) {
            Pair.Ends ends = announcing(pair, byChannel);
            pass(ends, true);
            assertEquals(0, ends.responder().receives().completionEventsInSilence(), "announcements");
        }
    }

    @Rule(
            id = "EVENT-03",
            text = "Arming a completion queue raises no completion event for completions that the queue already"
                    + " contains.",
            source = "ibv_req_notify_cq(3); the Javadoc of CompletionQueue.requestNotification",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.COMPLETION_CHANNEL},
            lookAt = {"whether arming raises an event for completions that are already in the completion queue"})
    default void completionsBeforeArmingRaiseNoEvent(boolean byChannel) {
        try (Pair pair = pair()) {
            Pair.Ends ends = announcing(pair, byChannel);
            pass(ends, false);
            pair.second().silence();
            ends.responder().receives().arm(Notification.NEXT_COMPLETION);
            assertEquals(0, ends.responder().receives().completionEventsInSilence(), "announcements");
            pass(ends, false);
            assertEquals(1, ends.responder().receives().awaitCompletionEvents(1), "announcements");
        }
    }

    @Rule(
            id = "EVENT-04",
            text = "A completion queue that is armed for solicited completions raises its completion event for"
                    + " the first receive whose sender requested a solicited event, and for no earlier completion.",
            source = "ibv_req_notify_cq(3) (solicited_only); IBTA volume 1, section 9.2.3",
            needs = {
                Capability.RC,
                Capability.MANUAL_CONNECT,
                Capability.COMPLETION_CHANNEL,
                Capability.SOLICITED_EVENTS
            },
            lookAt = {"the solicited event bit of the last packet of a message"})
    default void armingForSolicitedIgnoresUnsolicitedCompletions(boolean byChannel, @IntRange(max = 4) int before) {
        try (Pair pair = pair()) {
            Pair.Ends ends = announcing(pair, byChannel);
            Cq queue = ends.responder().receives();
            queue.arm(Notification.SOLICITED_ONLY);
            for (int i = 0; i < before; i++) {
                pass(ends, false);
            }
            assertEquals(0, queue.completionEventsInSilence(), "announcements");
            pass(ends, true);
            assertEquals(1, queue.awaitCompletionEvents(1), "announcements");
        }
    }

    @Rule(
            id = "EVENT-05",
            text = "A completion with an error status counts as a solicited completion.",
            source = "ibv_req_notify_cq(3); IBTA volume 1, section 11.4.2.2",
            needs = {
                Capability.RC,
                Capability.MANUAL_CONNECT,
                Capability.COMPLETION_CHANNEL,
                Capability.SOLICITED_EVENTS
            },
            lookAt = {"the completion event for flushed requests"})
    default void anErrorCountsAsSolicited(boolean byChannel) {
        try (Pair pair = pair()) {
            Pair.Ends ends = announcing(pair, byChannel);
            ends.responder().receives().arm(Notification.SOLICITED_ONLY);
            ends.responder().qp().modify(QpAttributes.error());
            assertEquals(1, ends.responder().receives().awaitCompletionEvents(1), "announcements");
        }
    }

    @Rule(
            id = "EVENT-06",
            text = "Arming a CQ for solicited completions does not cancel an earlier arming for the next completion.",
            source = "IBTA volume 1, section 11.4.2.2",
            needs = {
                Capability.RC,
                Capability.MANUAL_CONNECT,
                Capability.COMPLETION_CHANNEL,
                Capability.SOLICITED_EVENTS
            },
            lookAt = {"the effect of two calls that arm the completion queue before one completion event"})
    default void armingForSolicitedCancelsNoEarlierArming(boolean byChannel) {
        try (Pair pair = pair()) {
            Pair.Ends ends = announcing(pair, byChannel);
            Cq queue = ends.responder().receives();
            queue.arm(Notification.NEXT_COMPLETION);
            queue.arm(Notification.SOLICITED_ONLY);
            pass(ends, false);
            assertEquals(1, queue.awaitCompletionEvents(1), "announcements");
        }
    }

    @Rule(
            id = "EVENT-07",
            text = "If the rkey of a request does not grant the requested access to the requested range, the responder"
                    + " refuses the request and raises QP_ACCESS_ERR.",
            source = "ibv_get_async_event(3); IBTA volume 1, section 11.6.3.2",
            needs = {Capability.RC, Capability.ASYNC_EVENTS},
            lookAt = {"whether the responder raises QP_ACCESS_ERR even if no receive completion reports the error"})
    default void anAccessErrorRaisesAnEvent() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            int badKey = ends.responder().region().rkey() ^ 0x100;
            requester.send(
                    Send.write(1, ends.responder().region().address(), badKey).from(requester.sge(0, 8)));
            assertStatuses(requester.sends(), WorkCompletionStatus.REM_ACCESS_ERR);
            assertTrue(
                    pair.second()
                            .awaitEvents(1)
                            .contains(new Event(
                                    AsyncEventType.QP_ACCESS_ERR,
                                    ends.responder().qp().handle())),
                    "QP_ACCESS_ERR of the responder");
        }
    }

    @Rule(
            id = "EVENT-08",
            text = "The first message that arrives in RTR raises COMM_EST; later messages do not raise it again.",
            source = "ibv_get_async_event(3); IBTA volume 1, section 11.6.3.1",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.ASYNC_EVENTS},
            lookAt = {"the handling of the first packet that arrives in RTR"})
    default void theFirstMessageInRtrRaisesCommEst(@IntRange(min = 1, max = 4) int messages) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            Connection.usual()
                    .secondToRtr(ends.responder().qp(), ends.requester().qp());
            Connection.usual().toRts(ends.requester().qp(), ends.responder().qp());
            for (int i = 0; i < messages; i++) {
                ends.responder().receive(i, 0, 8);
                ends.requester().send(i, 0, 8);
            }
            ends.requester().sends().await(messages);
            assertEquals(
                    List.of(new Event(
                            AsyncEventType.COMM_EST, ends.responder().qp().handle())),
                    pair.second().awaitEvents(1),
                    "asynchronous events");
            assertEquals(List.of(), pair.second().eventsInSilence(), "unexpected asynchronous events");
        }
    }

    @Rule(
            id = "EVENT-09",
            text = "A completion queue that overflows raises the event CQ_ERR.",
            source = "ibv_get_async_event(3) (IBV_EVENT_CQ_ERR); IBTA volume 1, section 11.6.3.3",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.ASYNC_EVENTS},
            lookAt = {"the producer index of a completion queue that is not polled"})
    default void anOverflowRaisesCqErr() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            Cq small = Cq.open(pair.first(), 1);
            int depth = small.capacity() + 1;
            End requester =
                    ends.requester().withQp(Shape.usual().withDepths(depth, 1), small, Cq.open(pair.first(), 8));
            pair.connect(new Pair.Ends(requester, ends.responder()), Connection.usual());
            for (int i = 0; i < depth; i++) {
                requester.send(Send.write(i, ends.responder().at(0)).from(requester.sge(0, 8)));
            }
            assertTrue(
                    pair.first().awaitEvents(1).contains(new Event(AsyncEventType.CQ_ERR, small.handle())),
                    "CQ_ERR of the queue that overflowed");
        }
    }
}
