// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static dev.verbena.conformance.rules.Checks.assertRefusedAt;
import static dev.verbena.conformance.rules.Checks.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.arbitraries.Size;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Event;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Receive;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.conformance.side.Srq;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttributes;
import java.util.List;
import java.util.stream.IntStream;

/** The rules of rule area SRQ about shared receive queues. */
public interface SharedQueueRules extends RuleSet {
    private static Shape shared(int receives) {
        return Shape.usual().withSrq(receives);
    }

    private static Pair.Ends connected(Pair pair, int receives) {
        return pair.connected(Shape.usual(), shared(receives), Connection.usual());
    }

    private static Srq srq(Pair.Ends ends) {
        return ends.responder().srq().orElseThrow();
    }

    private static void pass(Pair.Ends ends, long id) {
        ends.requester().send(id, 0, 8);
        ends.requester().sends().awaitIds(id);
    }

    @Rule(
            id = "SRQ-01",
            text = "Messages of several queue pairs consume the receives of their shared receive queue in the order of"
                    + " posting. Each consumed receive completes once, and the completion contains the number of the"
                    + " queue pair that consumed the receive.",
            source = "ibv_create_srq(3); IBTA volume 1, section 10.2.9",
            needs = {Capability.RC, Capability.SRQ},
            lookAt = {"the lock around the head of the shared receive queue"})
    default void severalQueuePairsShareReceives(@Size(min = 1, max = 12) List<Boolean> which) {
        try (Pair pair = pair()) {
            Pair.Ends one = connected(pair, 16);
            Pair.Ends two = pair.another(one, Shape.usual(), Connection.usual());
            for (int i = 0; i < which.size(); i++) {
                one.responder().receive(i, 8L * i, 8);
            }
            for (int i = 0; i < which.size(); i++) {
                Pair.Ends ends = which.get(i) ? one : two;
                pass(ends, i);
                Completion received = ends.responder().receives().await(1).getFirst();
                assertEquals(i, received.id(), "ids of the completions");
                assertEquals(ends.responder().qp().number(), received.qpNumber(), "queue pair in the completion");
            }
        }
    }

    @Rule(
            id = "SRQ-02",
            text = "The limit event of a shared receive queue is raised once, when fewer receives than the limit"
                    + " remain. The limit event is not raised again until the limit is armed again.",
            source = "ibv_modify_srq(3) (srq_limit); IBTA volume 1, section 10.2.9.1",
            needs = {Capability.RC, Capability.SRQ, Capability.ASYNC_EVENTS},
            lookAt = {
                "whether the limit event disarms the limit",
                "whether the event is raised only if the number of remaining receives is less than the limit"
            })
    default void theLimitEventIsRaisedOnce(@IntRange(min = 1, max = 6) int limit) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair, 16);
            for (int i = 0; i < 8; i++) {
                ends.responder().receive(i, 0, 8);
            }
            srq(ends).armLimit(limit);
            for (int left = 8; left > limit; left--) {
                pass(ends, 8 - left);
            }
            assertEquals(
                    0,
                    pair.second().countInSilence(AsyncEventType.SRQ_LIMIT_REACHED),
                    "unexpected events SRQ_LIMIT_REACHED");
            pass(ends, 20);
            assertEquals(
                    List.of(new Event(
                            AsyncEventType.SRQ_LIMIT_REACHED, srq(ends).handle())),
                    pair.second().awaitEvents(1),
                    "asynchronous events");
            for (int left = limit - 1; left > 0; left--) {
                pass(ends, 30 + left);
            }
            assertEquals(
                    0,
                    pair.second().countInSilence(AsyncEventType.SRQ_LIMIT_REACHED),
                    "unexpected events SRQ_LIMIT_REACHED");
        }
    }

    @Rule(
            id = "SRQ-03",
            text = "If the limit of a shared receive queue is armed again, the limit event is raised again.",
            source = "ibv_modify_srq(3) (srq_limit)",
            needs = {Capability.RC, Capability.SRQ, Capability.ASYNC_EVENTS},
            lookAt = {"the effect of arming the limit after the limit event"})
    default void aLimitArmedAgainRaisesItsEventAgain() {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair, 16);
            for (int round = 0; round < 3; round++) {
                ends.responder().receive(1, 0, 8);
                ends.responder().receive(2, 0, 8);
                srq(ends).armLimit(1);
                pass(ends, 1);
                pass(ends, 2);
                assertEquals(
                        AsyncEventType.SRQ_LIMIT_REACHED,
                        pair.second().awaitEvents(1).getFirst().type(),
                        "asynchronous events");
            }
        }
    }

    @Rule(
            id = "SRQ-04",
            text = "A shared receive queue has room for the number of receives that was granted at its creation;"
                    + " posting one more receive fails with ENOMEM.",
            source = "ibv_post_srq_recv(3); ibv_create_srq(3)",
            needs = {Capability.RC, Capability.SRQ},
            lookAt = {"the test for room in the shared receive queue when a receive is posted"})
    default void aFullSharedReceiveQueueRefusesTheNextReceive(@IntRange(min = 1, max = 40) int asked) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair, asked);
            int depth = srq(ends).granted().maxWr();
            Receive[] list = IntStream.rangeClosed(0, depth)
                    .mapToObj(id -> ends.responder().into(id, 0, 1))
                    .toArray(Receive[]::new);
            assertRefusedAt(depth, Errno.ENOMEM, srq(ends).post(list));
            ends.requester().send(Send.send(1));
            ends.requester().sends().awaitIds(1L);
            ends.responder().receives().awaitIds(0L);
            srq(ends).receive(list[depth]);
        }
    }

    @Rule(
            id = "SRQ-05",
            text = "When a queue pair moves to ERR, the receives of its shared receive queue stay available to the"
                    + " other queue pairs.",
            source = "IBTA volume 1, sections 10.2.9.5 and 10.3.1",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.SRQ},
            lookAt = {"whether the flush of a queue pair also flushes the receives of its shared receive queue"})
    default void anErrorDoesNotAffectSharedReceives(@IntRange(min = 1, max = 8) int receives) {
        try (Pair pair = pair()) {
            Pair.Ends one = connected(pair, 16);
            Pair.Ends two = pair.another(one, Shape.usual(), Connection.usual());
            for (int i = 0; i < receives; i++) {
                one.responder().receive(i, 0, 8);
            }
            one.responder().qp().modify(QpAttributes.error());
            one.responder().receives().assertQuiet();
            for (int i = 0; i < receives; i++) {
                pass(two, i);
            }
            two.responder().receives().awaitIds(ids(0, receives).toArray(Long[]::new));
        }
    }

    @Rule(
            id = "SRQ-06",
            text = "When a queue pair with a shared receive queue moves to ERR, LAST_WQE_REACHED is raised once.",
            source = "IBTA volume 1, section 11.6.3.6; ibv_get_async_event(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.SRQ, Capability.ASYNC_EVENTS},
            lookAt = {"whether every flush of the queue pair raises another LAST_WQE_REACHED event"})
    default void lastWqeReachedIsRaisedOnce() {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair, 4);
            ends.responder().receive(1, 0, 8);
            ends.responder().qp().modify(QpAttributes.error());
            assertEquals(
                    List.of(new Event(
                            AsyncEventType.QP_LAST_WQE_REACHED,
                            ends.responder().qp().handle())),
                    pair.second().awaitEvents(1),
                    "asynchronous events");
            // In ERR, the responder's queue pair flushes a new SEND and drops an arriving message. Neither the flushed
            // SEND nor the dropped message may cause a second event LAST_WQE_REACHED.
            ends.responder().qp().post(Send.send(1));
            ends.requester().send(2, 0, 8);
            assertEquals(
                    0,
                    pair.second().countInSilence(AsyncEventType.QP_LAST_WQE_REACHED),
                    "unexpected events QP_LAST_WQE_REACHED");
        }
    }

    @Rule(
            id = "SRQ-07",
            text = "A message that arrives while the shared receive queue is empty is delivered after a receive is"
                    + " posted.",
            source = "IBTA volume 1, section 9.7.5.2.8",
            needs = {Capability.RC, Capability.SRQ},
            lookAt = {"the RNR NAK of queue pairs with a shared receive queue"})
    default void aMessageWaitsForASharedReceive() {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair, 4);
            ends.requester().send(1, 0, 8);
            ends.requester().sends().assertQuiet();
            ends.responder().receive(2, 0, 8);
            ends.responder().receives().awaitIds(2L);
            ends.requester().sends().awaitIds(1L);
        }
    }

    @Rule(
            id = "SRQ-08",
            text = "Resizing a shared receive queue preserves its receives and their order; a size below the number of"
                    + " its receives is refused.",
            source = "ibv_modify_srq(3) (IBV_SRQ_MAX_WR)",
            needs = {Capability.RC, Capability.SRQ, Capability.SRQ_RESIZE},
            lookAt = {"whether a resize copies the receives in order if they wrap around the end of the ring"})
    default void aResizedSharedReceiveQueueKeepsItsReceives(
            @IntRange(max = 8) int used, @IntRange(min = 1, max = 12) int held) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair, 16);
            for (int i = 0; i < used; i++) {
                ends.responder().receive(50 + i, 0, 8);
                pass(ends, i);
            }
            ends.responder().receives().await(used);
            for (int i = 0; i < held; i++) {
                ends.responder().receive(i, 0, 8);
            }
            assertErrno(Errno.EINVAL, () -> srq(ends).resize(held - 1));
            srq(ends).resize(40);
            for (int i = 0; i < held; i++) {
                pass(ends, i);
            }
            ends.responder().receives().awaitIds(ids(0, held).toArray(Long[]::new));
        }
    }
}
