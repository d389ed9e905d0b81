// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.conformance.arbitraries.From;
import dev.verbena.conformance.arbitraries.ScatterList;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Receive;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.PathMtu;
import java.io.ByteArrayOutputStream;

/** The rules of rule area POST about work requests with several scatter-gather entries. */
public interface ScatterRules extends RuleSet {
    @Rule(
            id = "POST-16",
            text = "The message of a SEND with several scatter-gather entries consists of the bytes of these entries"
                    + " in order, for all lengths and addresses of the entries.",
            source = "ibv_post_send(3) (sg_list)",
            lookAt = {
                "the iteration over the scatter-gather entries of a SEND",
                "the handling of an entry that spans several packets"
            })
    default void aMessageConsistsOfItsEntriesInOrder(@From(ScatterList.Any.class) ScatterList list) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            End requester = ends.requester();
            requester.memory().fill(0, ScatterList.MEMORY, 1);
            Send send = Send.send(1);
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            for (ScatterList.Piece piece : list.pieces()) {
                send = send.from(requester.sge(piece.offset(), piece.length()));
                message.writeBytes(requester.memory().read(piece.offset(), piece.length()));
            }
            byte[] expected = Memory.patched(ends.responder().memory().contents(), 0, message.toByteArray());
            ends.responder().receive(2, 0, message.size());
            requester.send(send);
            assertEquals(
                    message.size(),
                    ends.responder().receives().await(1).getFirst().byteLength(),
                    "length in the completion");
            requester.sends().awaitIds(1L);
            ends.responder().memory().assertHolds(expected);
        }
    }

    @Rule(
            id = "POST-17",
            text = "A receive with several scatter-gather entries is filled entry by entry, and no byte outside of the"
                    + " entries changes.",
            source = "ibv_post_recv(3) (sg_list)",
            lookAt = {
                "whether the responder continues in the next scatter-gather entry if an entry ends within a packet"
            })
    default void aReceiveIsFilledEntryByEntry(@From(ScatterList.Any.class) ScatterList list) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            End responder = ends.responder();
            // The scatter/gather entries do not overlap, so the order of writing does not affect the content of the
            // memory.
            Receive receive = Receive.of(1);
            byte[] message = ends.requester().memory().fill(0, list.length(), 4);
            byte[] expected = responder.memory().contents();
            int taken = 0;
            int place = 0;
            for (ScatterList.Piece piece : list.pieces()) {
                int offset = place + piece.offset() % ScatterList.GAP;
                receive = receive.into(responder.sge(offset, piece.length()));
                System.arraycopy(message, taken, expected, Memory.GUARD + offset, piece.length());
                taken += piece.length();
                place += ScatterList.LONGEST + ScatterList.GAP;
            }
            responder.qp().receive(receive);
            ends.requester().send(2, 0, message.length);
            responder.receives().awaitIds(1L);
            ends.requester().sends().awaitIds(2L);
            responder.memory().assertHolds(expected);
        }
    }

    @Rule(
            id = "POST-18",
            text = "An RDMA READ with several scatter-gather entries writes the fetched bytes to the entries in order.",
            source = "ibv_post_send(3) (sg_list)",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"the iteration over the scatter-gather entries of an RDMA READ as its responses arrive"})
    default void aReadFillsItsEntriesInOrder(@From(ScatterList.Any.class) ScatterList list) {
        try (Pair pair = pair()) {
            assumeTrue(list.pieces().size() <= pair.first().facts().attributes().maxSgeRd());
            Pair.Ends ends = connected(pair);
            End requester = ends.requester();
            byte[] remote = ends.responder().memory().fill(0, list.length(), 5);
            byte[] expected = requester.memory().contents();
            Send read = Send.read(1, ends.responder().at(0));
            int taken = 0;
            int place = 0;
            for (ScatterList.Piece piece : list.pieces()) {
                int offset = place + piece.offset() % ScatterList.GAP;
                read = read.from(requester.sge(offset, piece.length()));
                System.arraycopy(remote, taken, expected, Memory.GUARD + offset, piece.length());
                taken += piece.length();
                place += ScatterList.LONGEST + ScatterList.GAP;
            }
            requester.send(read);
            requester.sends().awaitIds(1L);
            requester.memory().assertHolds(expected);
        }
    }

    private static Pair.Ends connected(Pair pair) {
        Shape shape = Shape.usual().withBytes(ScatterList.MEMORY).withSges(ScatterList.MOST, ScatterList.MOST);
        return pair.connected(shape, Connection.usual().withMtu(PathMtu.MTU_256));
    }
}
