// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertRefusedAt;
import static dev.verbena.conformance.rules.Checks.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Qp;
import dev.verbena.conformance.side.Receive;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.stream.IntStream;

/** The rules of rule area POST about work requests that the post functions must accept or refuse. */
public interface PostRules extends RuleSet {
    @Rule(
            id = "POST-01",
            text = "A send queue has room for the number of requests that was granted at its creation. If a post"
                    + " contains more requests than the queue has room for, the post fails with ENOMEM at the index of"
                    + " the first excess request, and this request is not posted. After completions have freed slots of"
                    + " the send queue, posts succeed again.",
            source = "ibv_post_send(3); ibv_create_qp(3)",
            lookAt = {
                "whether post_send checks for a free slot before it writes a request",
                "whether completions free the slots",
                "whether bad_wr is the refused request"
            })
    default void aFullSendQueueRefusesTheNextRequest(@IntRange(min = 1, max = 40) int asked) {
        // The peer has posted no receive yet, so no slot becomes free while the send queue is filled.
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withDepths(asked, asked));
            End requester = ends.requester();
            int depth = requester.qp().capabilities().maxSendWr();
            Send[] list = sends(requester, depth + 1);
            assertRefusedAt(depth, Errno.ENOMEM, requester.qp().post(list));
            for (int i = 0; i < depth; i++) {
                receiveOneByte(ends.responder(), i);
                requester.sends().awaitIds((long) i);
            }
            requester.send(list[depth]);
            receiveOneByte(ends.responder(), depth);
            requester.sends().awaitIds((long) depth);
        }
    }

    private static Send[] sends(End end, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Send.send(i).from(end.sge(i, 1)))
                .toArray(Send[]::new);
    }

    private static void receiveOneByte(End end, int id) {
        end.receive(id, id, 1);
        end.receives().awaitIds((long) id);
    }

    @Rule(
            id = "POST-02",
            text = "In RESET, INIT and RTR, posting to the send queue fails with EINVAL and changes nothing.",
            source = "ibv_post_send(3); IBTA volume 1, section 10.3.1",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether post_send tests the queue pair state before it writes to the send queue"})
    default void sendsAreRefusedBeforeTheQueuePairIsReadyToSend() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            Qp qp = ends.requester().qp();
            Connection connection = Connection.usual();
            assertRefusedAt(0, Errno.EINVAL, qp.post(sends(ends.requester(), 2)));
            qp.modify(connection.init(qp));
            assertRefusedAt(0, Errno.EINVAL, qp.post(sends(ends.requester(), 2)));
            connection.secondToRtr(ends.responder().qp(), qp);
            assertRefusedAt(0, Errno.EINVAL, ends.responder().qp().post(sends(ends.responder(), 2)));
            ends.responder()
                    .qp()
                    .modify(connection
                            .withPsns(0x65_4321, 0)
                            .rts(ends.responder().qp()));
            connection.toRts(qp, ends.responder().qp());
            ends.assertAlive(8);
            ends.assertQuiet();
        }
    }

    @Rule(
            id = "POST-03",
            text = "In RESET, posting a receive fails with EINVAL. From INIT on, receives are accepted, and messages"
                    + " consume them after the queue pairs are connected.",
            source = "ibv_post_recv(3); IBTA volume 1, section 10.3.1",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {
                "whether post_recv tests the queue pair state",
                "whether the receives that were posted in INIT stay posted in RTR"
            })
    default void receivesAreAcceptedFromInitOn() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            End responder = ends.responder();
            assertRefusedAt(0, Errno.EINVAL, responder.qp().post(responder.into(5, 0, 16)));
            responder.qp().modify(Connection.usual().init(responder.qp()));
            responder.receive(5, 0, 16);
            pair.connect(ends, Connection.usual());
            ends.requester().send(6, 0, 16);
            ends.requester().sends().awaitIds(6L);
            responder.receives().awaitIds(5L);
            ends.assertQuiet();
        }
    }

    @Rule(
            id = "POST-04",
            text = "If a list of requests contains a request that can never be executed, the post fails with EINVAL at"
                    + " the index of this request. The requests before the refused request are executed, and the"
                    + " requests after the refused request are not posted.",
            source = "ibv_post_send(3) (bad_wr)",
            lookAt = {"the checks of each request", "whether the doorbell is rung for the requests before the bad_wr"})
    default void aBadRequestStopsThePostAtItsIndex(@IntRange(max = 7) int before, @IntRange(max = 7) int behind) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            for (int i = 0; i <= before + behind; i++) {
                ends.responder().receive(i, 0, 64);
            }
            Send[] list = sends(requester, before + 1 + behind);
            int most = requester.qp().capabilities().maxSendSge();
            for (int i = 0; i < most; i++) {
                list[before] = list[before].from(requester.sge(i, 1));
            }
            assertRefusedAt(before, Errno.EINVAL, requester.qp().post(list));
            requester.sends().awaitIds(ids(0, before).toArray(Long[]::new));
            ends.responder().receives().awaitIds(ids(0, before).toArray(Long[]::new));
            ends.assertQuiet();
        }
    }

    @Rule(
            id = "POST-09",
            text = "A UC queue pair refuses RDMA READs with EINVAL, because its peer sends no responses.",
            source = "ibv_post_send(3) (table of operations); IBTA volume 1, section 9.2",
            needs = {Capability.UC, Capability.MANUAL_CONNECT},
            lookAt = {"the operations that each queue pair type allows"})
    default void anUnreliableConnectionRefusesReads() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withType(QpType.UC));
            End requester = ends.requester();
            Send read = Send.read(1, ends.responder().at(0)).from(requester.sge(0, 8));
            assertRefusedAt(0, Errno.EINVAL, requester.qp().post(read));
            ends.assertAlive(2);
        }
    }

    @Rule(
            id = "POST-10",
            text = "A UD queue pair accepts only SENDs with an address handle; other send requests fail with EINVAL.",
            source = "ibv_post_send(3) (table of operations)",
            needs = {Capability.UD, Capability.MANUAL_CONNECT},
            lookAt = {"the operations that a queue pair type allows", "the check for the address handle of a datagram"})
    default void aDatagramQueuePairAcceptsOnlyDatagrams() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(
                    Shape.usual().withType(QpType.UD), Shape.usual().withType(QpType.UD));
            States.ready(pair, ends);
            End requester = ends.requester();
            Send write = Send.write(1, ends.responder().at(0)).from(requester.sge(0, 8));
            assertRefusedAt(0, Errno.EINVAL, requester.qp().post(write));
            Send homeless = Send.send(2).from(requester.sge(0, 8));
            assertRefusedAt(0, Errno.EINVAL, requester.qp().post(homeless));
            requester.qp().assertQuiet();
        }
    }

    @Rule(
            id = "POST-11",
            text = "Unsignaled requests free their slots in the send queue when a later request completes. A program"
                    + " can therefore post any number of requests if it signals every nth request.",
            source = "ibv_post_send(3) (IBV_SEND_SIGNALED); ibv_poll_cq(3)",
            lookAt = {"how the consumer index of the send queue advances over unsignaled requests"})
    default void unsignaledRequestsFreeTheirSlots(@IntRange(min = 1, max = 8) int every) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withDepths(8, 8));
            End requester = ends.requester();
            for (int round = 0; round < 12; round++) {
                for (int i = 0; i < every; i++) {
                    Send write = Send.write(i, ends.responder().at(i)).from(requester.sge(i, 1));
                    requester.send(write.signaled(i == every - 1));
                }
                requester.sends().awaitIds((long) every - 1);
            }
        }
    }

    @Rule(
            id = "POST-12",
            text = "A receive queue has room for the number of receives that was granted at its creation. If the"
                    + " queue is full, posting a receive fails with ENOMEM, and the earlier receives stay posted.",
            source = "ibv_post_recv(3); ibv_create_qp(3)",
            lookAt = {"whether post_recv tests for a free slot before it writes to the receive queue"})
    default void aFullReceiveQueueRefusesTheNextReceive(@IntRange(min = 1, max = 40) int asked) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withDepths(asked, asked));
            End responder = ends.responder();
            int depth = responder.qp().capabilities().maxReceiveWr();
            Receive[] list = IntStream.rangeClosed(0, depth)
                    .mapToObj(i -> responder.into(i, i, 1))
                    .toArray(Receive[]::new);
            assertRefusedAt(depth, Errno.ENOMEM, responder.qp().post(list));
            for (int i = 0; i < depth; i++) {
                ends.requester().send(i, 0, 1);
                ends.requester().sends().awaitIds((long) i);
                responder.receives().awaitIds((long) i);
            }
            responder.qp().receive(list[depth]);
        }
    }

    @Rule(
            id = "POST-13",
            text = "A message of length 0 consumes a receive, and the completion of that receive reports length 0.",
            source = "ibv_post_send(3); IBTA volume 1, section 9.2.2",
            lookAt = {"the handling of packets without payload", "the handling of receives with an empty sg_list"})
    default void anEmptyMessageConsumesAReceive() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            byte[] before = ends.responder().memory().contents();
            ends.responder().receive(1, 0, 64);
            ends.responder().receive(2, 0, 0);
            ends.requester().send(3, 0, 0);
            ends.requester().send(4, 0, 0);
            for (Completion received : ends.responder().receives().await(2)) {
                assertEquals(0, received.byteLength(), "length in the completion");
            }
            ends.requester().sends().awaitIds(3L, 4L);
            ends.responder().memory().assertHolds(before);
        }
    }

    @Rule(
            id = "POST-14",
            text = "Posting a receive to a queue pair that has a shared receive queue fails with EINVAL.",
            source = "ibv_create_qp(3) (srq)",
            needs = {Capability.RC, Capability.SRQ},
            lookAt = {"the check in post_recv whether the queue pair has a shared receive queue"})
    default void aQueuePairWithASharedQueueRefusesReceives() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withSrq(4));
            End responder = ends.responder();
            assertRefusedAt(0, Errno.EINVAL, responder.qp().post(responder.into(1, 0, 8)));
            ends.assertAlive(2);
        }
    }

    @Rule(
            id = "POST-15",
            text = "In every queue pair state, a post is either refused completely or accepted. If the queue pair is"
                    + " then modified to ERR, each accepted request completes exactly once.",
            source = "IBTA volume 1, section 10.3.1 (table of states)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the table of queue pair states that accept a post", "whether a post in ERR starts the flush"})
    default void inEveryStateAPostIsRefusedOrCompletedOnce(QpState state, @IntRange(min = 1, max = 5) int count) {
        try (Pair pair = pair()) {
            Pair.Ends ends = States.in(pair, QpType.RC, state);
            End end = ends.requester();
            boolean sends =
                    state == QpState.RTS || state == QpState.SQD || state == QpState.ERR || state == QpState.SQE;
            Send[] posted = IntStream.range(0, count)
                    .mapToObj(id -> States.send(ends, id))
                    .toArray(Send[]::new);
            assertEquals(sends ? count : 0, end.qp().post(posted).taken(), () -> "sends taken in " + state);
            Receive[] receives = IntStream.range(0, count).mapToObj(Receive::of).toArray(Receive[]::new);
            boolean takes = state != QpState.RESET;
            assertEquals(takes ? count : 0, end.qp().post(receives).taken(), () -> "receives taken in " + state);
            if (takes) {
                end.qp().modify(QpAttributes.error());
                Checks.assertFlushed(end.sends(), 0, sends ? count : 0);
                Checks.assertFlushed(end.receives(), 0, count);
            }
            end.qp().assertQuiet();
        }
    }
}
