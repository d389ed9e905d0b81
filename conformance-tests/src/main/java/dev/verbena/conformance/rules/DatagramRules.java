// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Ah;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWorkRequest;
import java.util.Optional;

/** The rules of rule area UD about unreliable datagrams. */
public interface DatagramRules extends RuleSet {
    @Rule(
            id = "UD-01",
            text = "A datagram of any length up to the MTU arrives unaltered after the 40 bytes reserved for the"
                    + " global route header. The receive completion's length includes the 40 bytes of the GRH, and"
                    + " the completion contains the sender's queue pair number.",
            source = "ibv_poll_cq(3) (src_qp and IBV_WC_GRH); IBTA volume 1, section 11.4.1.2",
            needs = {Capability.UD, Capability.MANUAL_CONNECT},
            lookAt = {"the 40 bytes before each datagram in the buffer", "the source queue pair number in the DETH"})
    default void aDatagramArrivesAfterItsGlobalRouteHeader(@IntRange(max = 1024) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = Datagrams.ready(pair);
            End responder = ends.responder();
            byte[] message = ends.requester().memory().fill(0, length, 1);
            byte[] behind = responder.memory().read(Datagrams.GRH + length, 100);
            responder.receive(1, 0, 2000);
            ends.requester().send(Datagrams.of(ends.requester(), responder).send(2, length));
            Completion received = responder.receives().await(1).getFirst();
            ends.requester().sends().awaitIds(2L);
            assertEquals(Datagrams.GRH + length, received.byteLength(), "length in the completion");
            assertEquals(ends.requester().qp().number(), received.sourceQp(), "sender in the completion");
            responder.memory().assertHolds(Datagrams.GRH, message);
            responder.memory().assertHolds(Datagrams.GRH + length, behind);
        }
    }

    @Rule(
            id = "UD-02",
            text = "A datagram whose Q_Key differs from that of the receiving queue pair is dropped and consumes no"
                    + " receive, but the SEND of the datagram completes with success.",
            source = "IBTA volume 1, sections 10.2.5 and 9.8.3",
            needs = {Capability.UD, Capability.MANUAL_CONNECT},
            lookAt = {"whether the responder compares the Q_Key of a datagram before it consumes a receive"})
    default void aWrongQkeyIsDropped(@IntRange(max = 30) int bit) {
        try (Pair pair = pair()) {
            Pair.Ends ends = Datagrams.ready(pair);
            Ah ah = ends.requester().pd().ah(pair.second());
            ends.responder().receive(1, 0, 256);
            ends.requester()
                    .send(Send.send(1)
                            .from(ends.requester().sge(0, 8))
                            .to(ah.qp(ends.responder().qp().number(), States.QKEY ^ 1 << bit)));
            ends.requester().sends().awaitIds(1L);
            ends.responder().receives().assertQuiet();
            ends.requester()
                    .send(Datagrams.of(ends.requester(), ends.responder()).send(2, 8));
            ends.responder().receives().awaitIds(1L);
        }
    }

    @Rule(
            id = "UD-03",
            text = "A datagram that arrives while no receive is posted is dropped without an error, and a datagram"
                    + " that arrives after a receive is posted is delivered.",
            source = "IBTA volume 1, section 9.8.3.2",
            needs = {Capability.UD, Capability.MANUAL_CONNECT},
            lookAt = {"whether the drop of a datagram causes an error at the sender or at the receiver"})
    default void aDatagramWithoutReceiveIsDropped(@IntRange(min = 1, max = 5) int lost) {
        try (Pair pair = pair()) {
            Pair.Ends ends = Datagrams.ready(pair);
            Datagrams datagrams = Datagrams.of(ends.requester(), ends.responder());
            for (int i = 0; i < lost; i++) {
                ends.requester().send(datagrams.send(i, 8));
                ends.requester().sends().awaitIds((long) i);
            }
            ends.responder().receives().assertQuiet();
            datagrams.assertPasses(50);
        }
    }

    @Rule(
            id = "UD-04",
            text = "The address handle of a datagram may be closed as soon as the datagram is posted.",
            source = "ibv_destroy_ah(3); the Javadoc of AddressHandle",
            needs = {Capability.UD, Capability.MANUAL_CONNECT},
            lookAt = {"whether the post copies the path or refers to the address handle"})
    default void anAddressHandleMayBeClosedAfterThePost(@IntRange(min = 1, max = 8) int messages) {
        try (Pair pair = pair()) {
            Pair.Ends ends = Datagrams.ready(pair);
            Ah ah = ends.requester().pd().ah(pair.second());
            Send[] list = new Send[messages];
            for (int i = 0; i < messages; i++) {
                ends.responder().receive(i, i * 100L, 100);
                list[i] = Send.send(i)
                        .from(ends.requester().sge(0, 8))
                        .to(ah.qp(ends.responder().qp().number(), States.QKEY));
            }
            ends.requester().send(list);
            ah.close();
            ends.responder().receives().await(messages);
            ends.requester().sends().await(messages);
        }
    }

    @Rule(
            id = "UD-05",
            text = "A datagram transfers immediate data to the receiver.",
            source = "ibv_post_send(3) (IBV_WR_SEND_WITH_IMM)",
            needs = {Capability.UD, Capability.MANUAL_CONNECT, Capability.IMMEDIATE_DATA},
            lookAt = {"the order of the headers DETH and ImmDt"})
    default void aDatagramTransfersImmediateData(int data) {
        try (Pair pair = pair()) {
            Pair.Ends ends = Datagrams.ready(pair);
            Datagrams datagrams = Datagrams.of(ends.requester(), ends.responder());
            ends.responder().receive(1, 0, 256);
            ends.requester()
                    .send(datagrams.to(Send.sendWithImmediate(2, data)
                            .from(ends.requester().sge(0, 8))));
            assertEquals(
                    Optional.of(data),
                    ends.responder().receives().await(1).getFirst().immediate(),
                    "immediate data in the completion");
        }
    }

    @Rule(
            id = "UD-06",
            text = "If the top bit of the Q_Key in a send request is set, the datagram is sent with the Q_Key of the"
                    + " sending queue pair.",
            source = "ibv_post_send(3) (remote_qkey); IBTA volume 1, section 10.2.5",
            needs = {Capability.UD, Capability.MANUAL_CONNECT},
            lookAt = {"the test of the top bit of the Q_Key in a request"})
    default void aPrivilegedQkeyIsReplacedByTheQueuePairsQkey() {
        try (Pair pair = pair()) {
            Pair.Ends ends = Datagrams.ready(pair);
            Ah ah = ends.requester().pd().ah(pair.second());
            ends.responder().receive(1, 0, 256);
            ends.requester()
                    .send(Send.send(2)
                            .from(ends.requester().sge(0, 8))
                            .to(ah.qp(ends.responder().qp().number(), 0x8000_0000)));
            ends.responder().receives().awaitIds(1L);
        }
    }

    @Rule(
            id = "UD-07",
            text = "A UD queue pair can answer every sender, because the completion of a receive contains the sender's"
                    + " queue pair number.",
            source = "ibv_poll_cq(3) (src_qp); IBTA volume 1, section 9.8.3",
            needs = {Capability.UD, Capability.MANUAL_CONNECT},
            lookAt = {"the source queue pair number in completions of datagrams from several senders"})
    default void aReceiverCanAnswerEverySender(boolean second) {
        try (Pair pair = pair()) {
            Pair.Ends ends = Datagrams.ready(pair);
            End other = ends.requester().withQp(Shape.usual().withType(QpType.UD));
            States.bring(other.qp(), ends.responder().qp(), QpState.RTS);
            End sender = second ? other : ends.requester();
            Completion received = Datagrams.of(sender, ends.responder()).assertPasses(1);
            sender.receive(2, 0, 256);
            ends.responder()
                    .send(Send.send(3)
                            .from(ends.responder().sge(0, 8))
                            .to(ends.responder().pd().ah(pair.first()).qp(received.sourceQp(), States.QKEY)));
            sender.receives().awaitIds(2L);
        }
    }

    @Rule(
            id = "UD-08",
            text = "A datagram to a multicast group arrives once at every attached queue pair, and at no"
                    + " queue pair that is not attached or was detached.",
            source = "ibv_attach_mcast(3); IBTA volume 1, section 10.5.2",
            needs = {Capability.UD, Capability.MANUAL_CONNECT, Capability.UD_MULTICAST},
            rig = {Needs.ROCE},
            lookAt = {"the copies of a datagram for several queue pairs", "the detachment from a multicast group"})
    default void aMulticastDatagramArrivesOnceAtEachMember(boolean detached) {
        try (Pair pair = pair()) {
            Pair.Ends ends = Datagrams.ready(pair);
            End responder = ends.responder();
            End other = responder.withQp(Shape.usual().withType(QpType.UD));
            States.bring(other.qp(), ends.requester().qp(), QpState.RTS);
            Gid group = Datagrams.group(pair.first());
            responder.qp().attach(group);
            other.qp().attach(group);
            if (detached) {
                other.qp().detach(group);
            }
            responder.receive(1, 0, 100);
            other.receive(2, 200, 100);
            GidEntry source = pair.first().facts().source();
            Ah ah = ends.requester()
                    .pd()
                    .ah(AddressVector.toGid(group, source.index()).toBuilder()
                            .port(source.port())
                            .build());
            byte[] message = ends.requester().memory().fill(0, 8, 5);
            ends.requester()
                    .send(Send.send(3)
                            .from(ends.requester().sge(0, 8))
                            .to(ah.qp(SendWorkRequest.MULTICAST_QPN, States.QKEY)));
            responder.receives().awaitIds(1L);
            responder.memory().assertHolds(Datagrams.GRH, message);
            if (detached) {
                other.receives().assertQuiet();
                other.qp().attach(group);
            } else {
                other.receives().awaitIds(2L);
            }
            responder.receives().assertQuiet();
            responder.qp().detach(group);
            other.qp().detach(group);
        }
    }
}
