// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.arbitraries.Size;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.PathMtu;
import java.util.List;

/** The rules of rule area PLACE about the visibility and order of written bytes. */
public interface PlacementRules extends RuleSet {
    private static Pair.Ends connected(Pair pair) {
        return pair.connected(Shape.usual(), Connection.usual().withMtu(PathMtu.MTU_256));
    }

    @Rule(
            id = "PLACE-01",
            text = "When the receive of a SEND completes, all bytes of the message are in the receive's buffer.",
            source = "IBTA volume 1, sections 9.5 (o9-20) and 10.8.3.3",
            lookAt = {"whether the last byte is copied before the completion is generated"})
    default void aReceiveCompletesAfterItsBytes(@IntRange(min = 1, max = 3000) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            byte[] message = ends.requester().memory().fill(0, length, 1);
            ends.responder().receive(1, 0, length);
            ends.requester().send(2, 0, length);
            ends.responder().receives().awaitIds(1L);
            ends.responder().memory().assertHolds(0, message);
        }
    }

    @Rule(
            id = "PLACE-02",
            text = "When the receive of a SEND completes, all bytes of the RDMA WRITEs that were posted before the"
                    + " SEND are in place.",
            source = "IBTA volume 1, section 9.5 (o9-20); ibv_post_send(3)",
            lookAt = {"the concurrent execution of RDMA WRITEs and SENDs of one queue pair"})
    default void aReceiveCompletesAfterEarlierWrites(
            @Size(min = 1, max = 5) List<@IntRange(min = 1, max = 700) Integer> lengths) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            End requester = ends.requester();
            byte[] expected = ends.responder().memory().contents();
            ends.responder().receive(1, 4000, 8);
            for (int i = 0; i < lengths.size(); i++) {
                byte[] piece = requester.memory().fill(i * 700L, lengths.get(i), i + 1);
                expected = Memory.patched(expected, i * 700L, piece);
                requester.send(Send.write(i, ends.responder().at(i * 700L))
                        .from(requester.sge(i * 700L, lengths.get(i)))
                        .unsignaled());
            }
            requester.send(Send.send(9));
            ends.responder().receives().awaitIds(1L);
            ends.responder().memory().assertHolds(expected);
        }
    }

    @Rule(
            id = "PLACE-03",
            text = "When the receive of an RDMA WRITE with immediate data completes, all bytes of the WRITE are in"
                    + " place.",
            source = "IBTA volume 1, section 9.5 (o9-20)",
            needs = {Capability.RC, Capability.IMMEDIATE_DATA},
            lookAt = {"whether the last byte is copied before the completion is generated"})
    default void aWriteWithImmediateCompletesAfterItsBytes(@IntRange(min = 1, max = 3000) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            End requester = ends.requester();
            byte[] message = requester.memory().fill(0, length, 1);
            ends.responder().receive(1, 0, 0);
            requester.send(Send.writeWithImmediate(2, ends.responder().at(8), 3).from(requester.sge(0, length)));
            ends.responder().receives().awaitIds(1L);
            ends.responder().memory().assertHolds(8, message);
        }
    }

    @Rule(
            id = "PLACE-04",
            text = "An RDMA READ returns the bytes of the RDMA WRITEs that were posted before the RDMA READ.",
            source = "IBTA volume 1, section 9.5 (ordering) and table 76",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"whether the responder answers an RDMA READ before earlier RDMA WRITEs are complete"})
    default void aReadReturnsEarlierWrites(@IntRange(min = 1, max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            End requester = ends.requester();
            byte[] message = requester.memory().fill(0, length, 1);
            requester.send(
                    Send.write(1, ends.responder().at(0)).from(requester.sge(0, length)),
                    Send.read(2, ends.responder().at(0)).from(requester.sge(2000, length)));
            requester.sends().awaitIds(1L, 2L);
            requester.memory().assertHolds(2000, message);
        }
    }

    @Rule(
            id = "PLACE-05",
            text = "When an RDMA READ completes, all bytes that were read are in its local buffer.",
            source = "IBTA volume 1, section 9.5; ibv_poll_cq(3)",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"whether the last byte is copied before the completion is generated"})
    default void aReadCompletesAfterItsBytes(@IntRange(min = 1, max = 3000) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            byte[] remote = ends.responder().memory().fill(0, length, 1);
            ends.requester()
                    .send(Send.read(1, ends.responder().at(0))
                            .from(ends.requester().sge(0, length)));
            ends.requester().sends().awaitIds(1L);
            ends.requester().memory().assertHolds(0, remote);
        }
    }

    @Rule(
            id = "PLACE-06",
            text = "After several RDMA WRITEs to the same bytes, the memory contains the data of the last RDMA WRITE.",
            source = "IBTA volume 1, section 9.5",
            lookAt = {"the order in which the bytes of several RDMA WRITEs of one queue pair are placed"})
    default void theLastWriteWins(
            @Size(min = 2, max = 6) List<@IntRange(max = 600) Integer> offsets,
            @IntRange(min = 1, max = 600) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            End requester = ends.requester();
            byte[] expected = ends.responder().memory().contents();
            Send[] list = new Send[offsets.size()];
            for (int i = 0; i < list.length; i++) {
                byte[] piece = requester.memory().fill(i * 600L, length, i + 1);
                expected = Memory.patched(expected, offsets.get(i), piece);
                list[i] = Send.write(i, ends.responder().at(offsets.get(i))).from(requester.sge(i * 600L, length));
            }
            ends.responder().receive(1, 0, 1);
            requester.send(list);
            requester.sends().await(list.length);
            requester.send(Send.send(9));
            ends.responder().receives().awaitIds(1L);
            ends.responder().memory().assertHolds(expected);
        }
    }

    @Rule(
            id = "PLACE-07",
            text = "A fenced SEND from the buffer of an earlier RDMA READ contains the data that the READ fetched.",
            source = "ibv_post_send(3) (IBV_SEND_FENCE); IBTA volume 1, section 10.8.3.4",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"whether a fenced request waits until all earlier RDMA READs and atomics are complete"})
    default void aFencedSendContainsTheDataOfTheRead(@IntRange(min = 1, max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            End requester = ends.requester();
            byte[] remote = ends.responder().memory().fill(0, length, 7);
            ends.responder().receive(1, 2000, length);
            requester.send(
                    Send.read(2, ends.responder().at(0)).from(requester.sge(0, length)),
                    Send.send(3).from(requester.sge(0, length)).fenced());
            ends.responder().receives().awaitIds(1L);
            ends.responder().memory().assertHolds(2000, remote);
        }
    }

    @Rule(
            id = "PLACE-08",
            text = "After an RDMA WRITE has completed, an RDMA READ of the same memory through another queue pair"
                    + " returns the bytes of the RDMA WRITE.",
            source = "IBTA volume 1, section 9.7.5.1.1 (C9-110)",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"whether acknowledgements are sent before the bytes are placed"})
    default void aCompletedWriteIsVisibleThroughOtherQueuePairs(@IntRange(min = 1, max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            Pair.Ends others = pair.another(ends, Shape.usual(), Connection.usual());
            End requester = ends.requester();
            byte[] message = requester.memory().fill(0, length, 1);
            requester.send(Send.write(1, ends.responder().at(0)).from(requester.sge(0, length)));
            requester.sends().awaitIds(1L);
            others.requester().send(Send.read(2, ends.responder().at(0)).from(requester.sge(2000, length)));
            others.requester().sends().awaitIds(2L);
            requester.memory().assertHolds(2000, message);
        }
    }
}
