// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.From;
import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.arbitraries.Size;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;

/** The rules of rule area MTU: messages of any length and their packets. */
public interface MtuRules extends RuleSet {
    @Rule(
            id = "MTU-01",
            text = "A SEND of any length arrives unaltered in the receive's buffer, and no byte outside of"
                    + " the buffer changes.",
            source = "IBTA volume 1, sections 9.7.2 and 9.4.1; ibv_modify_qp(3) (path_mtu)",
            lookAt = {
                "the opcodes FIRST, MIDDLE, LAST and ONLY for lengths near a multiple of the path MTU",
                "the pad count of a payload whose length is not a multiple of 4"
            })
    default void aSendOfAnySizeArrivesUnaltered(@From(MessageShape.Any.class) MessageShape shape) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair, shape);
            byte[] expected = expected(ends, shape);
            ends.responder().receive(1, shape.offset(), Math.max(1, shape.length()));
            ends.requester().send(2, 0, shape.length());
            Completion received = ends.responder().receives().await(1).getFirst();
            assertEquals(WorkCompletionStatus.SUCCESS, received.status(), "how the receive ended");
            assertEquals(shape.length(), received.byteLength(), "length in the receive's completion");
            ends.requester().sends().awaitIds(2L);
            ends.responder().memory().assertHolds(expected);
        }
    }

    @Rule(
            id = "MTU-02",
            text = "An RDMA WRITE of any length writes exactly its bytes at its remote address, and no"
                    + " other byte changes.",
            source = "IBTA volume 1, sections 9.7.2 and 9.4.3; ibv_modify_qp(3) (path_mtu)",
            lookAt = {
                "whether the responder places the payload of each packet at the correct address",
                "whether the RETH's length equals the sum of the payload lengths"
            })
    default void aWriteOfAnySizeArrivesUnaltered(@From(MessageShape.Any.class) MessageShape shape) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair, shape);
            byte[] expected = expected(ends, shape);
            Send write = Send.write(2, ends.responder().at(shape.offset()));
            ends.requester().send(write.from(ends.requester().sge(0, shape.length())));
            ends.requester().sends().awaitIds(2L);
            // An RDMA WRITE has no completion at the responder. After the WRITE, the rule sends a SEND, and the receive
            // completion of the SEND shows that the WRITE has been executed.
            ends.responder().receive(3, 0, 1);
            ends.requester().send(4, 0, 0);
            ends.responder().receives().awaitIds(3L);
            ends.responder().memory().assertHolds(expected);
        }
    }

    @Rule(
            id = "MTU-03",
            text = "An RDMA READ of any length returns exactly the bytes of its remote range, and no byte outside of"
                    + " its local buffer changes.",
            source = "IBTA volume 1, sections 9.7.2 and 9.4.4",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {
                "whether the response packets of an RDMA READ have consecutive PSNs",
                "whether the payload of each response packet is written to its position in the local buffer"
            })
    default void aReadOfAnySizeArrivesUnaltered(@From(MessageShape.Any.class) MessageShape shape) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair, shape);
            byte[] remote = ends.responder().memory().fill(shape.offset(), shape.length(), 9);
            byte[] expected = Memory.patched(ends.requester().memory().contents(), 5, remote);
            Send read = Send.read(1, ends.responder().at(shape.offset()));
            ends.requester().send(read.from(ends.requester().sge(5, shape.length())));
            ends.requester().sends().awaitIds(1L);
            ends.requester().memory().assertHolds(expected);
        }
    }

    @Rule(
            id = "MTU-04",
            text = "An RDMA WRITE of any length with immediate data reports its length in the completion of the"
                    + " receive, and writes no byte to the receive's buffer.",
            source = "ibv_post_send(3); IBTA volume 1, section 9.4.3",
            needs = {Capability.RC, Capability.IMMEDIATE_DATA},
            lookAt = {
                "how the responder handles the last packet of an RDMA WRITE with immediate data",
                "whether the length in the receive's completion equals the length in the RETH"
            })
    default void aWriteWithImmediateReportsItsLength(@From(MessageShape.Any.class) MessageShape shape) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair, shape);
            byte[] expected = expected(ends, shape);
            ends.responder().receive(1, MessageShape.MOST_BYTES - 8, 8);
            Send write = Send.writeWithImmediate(2, ends.responder().at(shape.offset()), 0xCAFE_F00D);
            ends.requester().send(write.from(ends.requester().sge(0, shape.length())));
            ends.requester().sends().awaitIds(2L);
            assertEquals(
                    shape.length(),
                    ends.responder().receives().await(1).getFirst().byteLength(),
                    "length in the completion");
            ends.responder().memory().assertHolds(expected);
        }
    }

    @Rule(
            id = "MTU-05",
            text = "Messages in close succession stay separate: each message consumes a receive of its own, and the"
                    + " completion of that receive reports the length of the message.",
            source = "IBTA volume 1, sections 9.7.2 and 9.2",
            lookAt = {
                "how the responder handles the first packet after the end of a message",
                "which packet of a message consumes the receive"
            })
    default void messagesInCloseSuccessionStaySeparate(
            @Size(min = 1, max = 8) List<@IntRange(max = 600) Integer> lengths) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(
                    Shape.usual().withBytes(8 * 600), Connection.usual().withMtu(PathMtu.MTU_256));
            byte[] expected = ends.responder().memory().contents();
            Send[] sends = new Send[lengths.size()];
            for (int i = 0; i < sends.length; i++) {
                byte[] message = ends.requester().memory().fill(i * 600L, lengths.get(i), i);
                expected = Memory.patched(expected, i * 600L, message);
                ends.responder().receive(i, i * 600L, 600);
                sends[i] = Send.send(i).from(ends.requester().sge(i * 600L, lengths.get(i)));
            }
            ends.requester().send(sends);
            for (Completion received : ends.responder().receives().await(sends.length)) {
                assertEquals(
                        (long) lengths.get((int) received.id()), received.byteLength(), "length in the completion");
            }
            ends.requester().sends().await(sends.length);
            ends.responder().memory().assertHolds(expected);
        }
    }

    @Rule(
            id = "MTU-06",
            text = "A message of several hundred packets arrives unaltered.",
            source = "IBTA volume 1, section 9.7.2; the Javadoc of PortAttributes.maxMessageSize",
            lookAt = {"the limit on the packets in flight", "the handling of an ACK for some packets of a message"})
    default void aMessageOfManyPacketsArrives() {
        try (Pair pair = pair()) {
            int bytes = 300 * 256 + 77;
            Pair.Ends ends = pair.connected(
                    Shape.usual().withBytes(bytes), Connection.usual().withMtu(PathMtu.MTU_256));
            byte[] message = ends.requester().memory().fill(0, bytes, 1);
            byte[] expected = Memory.patched(ends.responder().memory().contents(), 0, message);
            ends.responder().receive(1, 0, bytes);
            ends.requester().send(2, 0, bytes);
            ends.responder().receives().awaitIds(1L);
            ends.requester().sends().awaitIds(2L);
            ends.responder().memory().assertHolds(expected);
        }
    }

    private static Pair.Ends connected(Pair pair, MessageShape shape) {
        return pair.connected(
                Shape.usual().withBytes(MessageShape.MOST_BYTES),
                Connection.usual().withMtu(shape.pathMtu()));
    }

    private static byte[] expected(Pair.Ends ends, MessageShape shape) {
        byte[] message = ends.requester().memory().fill(0, shape.length(), shape.offset());
        return Memory.patched(ends.responder().memory().contents(), shape.offset(), message);
    }
}
