// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.arbitraries.Size;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.fault.Verdict;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The rules of rule area UC about unreliable connected queue pairs. */
public interface UnreliableRules extends RuleSet {
    private static Pair.Ends connected(Pair pair) {
        return pair.connected(
                Shape.usual().withType(QpType.UC).withBytes(12_000),
                Connection.usual().withMtu(PathMtu.MTU_256));
    }

    @Rule(
            id = "UC-01",
            text = "On a link without faults, a SEND of any length on an unreliable connection arrives unaltered.",
            source = "IBTA volume 1, section 9.8.2",
            needs = {Capability.UC, Capability.MANUAL_CONNECT},
            lookAt = {"the choice of first, middle, last and only packets on unreliable connections"})
    default void aSendArrivesUnaltered(@IntRange(max = 3000) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            byte[] message = ends.requester().memory().fill(0, length, 1);
            byte[] expected = Memory.patched(ends.responder().memory().contents(), 8, message);
            ends.responder().receive(1, 8, length);
            ends.requester().send(2, 0, length);
            ends.requester().sends().awaitIds(2L);
            assertEquals(
                    length, ends.responder().receives().await(1).getFirst().byteLength(), "length in the completion");
            ends.responder().memory().assertHolds(expected);
        }
    }

    @Rule(
            id = "UC-02",
            text = "On a fault-free link, an RDMA WRITE of any length on an unreliable connection arrives unaltered.",
            source = "IBTA volume 1, section 9.8.2",
            needs = {Capability.UC, Capability.MANUAL_CONNECT},
            lookAt = {"the remote address of each packet of an RDMA WRITE"})
    default void aWriteArrivesUnaltered(@IntRange(max = 3000) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            End requester = ends.requester();
            byte[] message = requester.memory().fill(0, length, 1);
            byte[] expected = Memory.patched(ends.responder().memory().contents(), 8, message);
            requester.send(Send.write(1, ends.responder().at(8)).from(requester.sge(0, length)));
            requester.sends().awaitIds(1L);
            ends.responder().receive(2, 0, 0);
            requester.send(3, 0, 0);
            ends.responder().receives().awaitIds(2L);
            ends.responder().memory().assertHolds(expected);
        }
    }

    @Rule(
            id = "UC-03",
            text = "If a packet of a message on an unreliable connection is lost, the message never completes a"
                    + " receive. The messages after the incomplete message arrive complete and in order.",
            source = "IBTA volume 1, section 9.8.2.2",
            needs = {Capability.UC, Capability.MANUAL_CONNECT},
            rig = {Needs.FAULTS},
            lookAt = {"the effect of a PSN gap on the current message", "the packet at which reception resumes"})
    default void aMessageWithALostPacketCompletesNoReceive(
            @Size(min = 1, max = 4) Set<@IntRange(max = 23) Integer> lost) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            pair.fault(Faults.at(lost, Verdict.DROP));
            for (int i = 0; i < 9; i++) {
                ends.responder().receive(i, i * 700L, 700);
                ends.requester().memory().fill(i * 700L, 700, i + 1);
            }
            // Each of the nine SENDs has three packets, and no packet of the last SEND is lost.
            for (int i = 0; i < 9; i++) {
                ends.requester().send(i, i * 700L, 700);
            }
            ends.requester().sends().await(9);
            List<Integer> whole = IntStream.range(0, 9)
                    .filter(i -> !lost.contains(3 * i) && !lost.contains(3 * i + 1) && !lost.contains(3 * i + 2))
                    .boxed()
                    .toList();
            // A message must complete a receive if, and only if, none of its packets was lost.
            List<Completion> received = ends.responder().receives().await(whole.size());
            ends.responder().receives().assertQuiet();
            for (int i = 0; i < whole.size(); i++) {
                long place = received.get(i).id() * 700;
                ends.responder().memory().assertHolds(place, Memory.pattern(700, whole.get(i) + 1));
            }
        }
    }

    @Rule(
            id = "UC-04",
            text = "If a SEND on an unreliable connection arrives while no receive is posted, the message is dropped,"
                    + " but the SEND completes with success, and both queue pairs stay in RTS.",
            source = "IBTA volume 1, section 9.8.2.2",
            needs = {Capability.UC, Capability.MANUAL_CONNECT},
            lookAt = {"the drop of a message that arrives while no receive is posted"})
    default void aMessageWithoutReceiveIsDropped(@IntRange(max = 1000) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            ends.requester().send(1, 0, length);
            ends.requester().sends().awaitIds(1L);
            pair.second().silence();
            ends.responder().receive(2, 0, 1000);
            ends.responder().receives().assertQuiet();
            ends.requester().send(3, 0, 8);
            ends.requester().sends().awaitIds(3L);
            ends.responder().receives().awaitIds(2L);
            ends.responder().qp().assertState(QpState.RTS);
        }
    }

    @Rule(
            id = "UC-05",
            text = "On an unreliable connection, an RDMA WRITE with an invalid rkey writes nothing, and the responder"
                    + " stays in RTS.",
            source = "IBTA volume 1, section 9.8.2.2",
            needs = {Capability.UC, Capability.MANUAL_CONNECT},
            lookAt = {"whether an invalid request wrongly changes the state of a UC queue pair"})
    default void aWriteWithoutAccessRightsIsDropped() {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            End requester = ends.requester();
            byte[] before = ends.responder().memory().contents();
            int badKey = ends.responder().region().rkey() ^ 0x100;
            requester.send(
                    Send.write(1, ends.responder().region().address(), badKey).from(requester.sge(0, 600)));
            requester.sends().awaitIds(1L);
            pair.second().silence();
            ends.responder().memory().assertHolds(before);
            ends.responder().qp().assertState(QpState.RTS);
            ends.assertAlive(2);
        }
    }

    @Rule(
            id = "UC-06",
            text = "The responder of an unreliable connection sends no acknowledgement and no other packet.",
            source = "IBTA volume 1, section 9.8.2",
            needs = {Capability.UC, Capability.MANUAL_CONNECT},
            rig = {Needs.TAP},
            lookAt = {"whether the responder of an unreliable connection sends acknowledgements"})
    default void anUnreliableResponderSendsNoAcknowledgement(@IntRange(max = 2000) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            Wire wire = Wire.tap(pair);
            ends.responder().receive(1, 0, length);
            ends.requester().send(2, 0, length);
            ends.responder().receives().awaitIds(1L);
            pair.second().silence();
            assertEquals(
                    List.of(),
                    wire.between(ends.responder().qp(), ends.requester().qp()),
                    "packets back to the sender");
        }
    }
}
