package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.Completion;
import dev.verbena.conformance.Endpoint;
import dev.verbena.conformance.EndpointOptions;
import dev.verbena.conformance.Pair;
import dev.verbena.conformance.Rule;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Area MTU: messages of any size, cut into packets and put together again. */
public interface MtuRules extends RuleSet {
    @Rule(
            id = "MTU-01",
            text = "A SEND of any size arrives unaltered in the receive's buffer, and nothing beside it changes.",
            source = "IBTA volume 1, 9.7.2 and 9.4.1; ibv_modify_qp(3), path_mtu",
            lookAt = {
                "the choice of first, middle, last and only packets, at 0, at the path MTU, and one beside it",
                "the pad count of packets whose payload is no multiple of 4"
            })
    @Property
    default void aSendOfAnySizeArrivesUnaltered(@ForAll(supplier = MessageShape.Any.class) MessageShape shape)
            throws VerbsException {
        try (Pair pair = connected(shape)) {
            byte[] expected = expected(pair, shape);
            pair.responder().postReceive(1, shape.offset(), shape.length());
            pair.requester().postSend(2, true, 0, shape.length());
            Completion received = pair.responder().awaitReceives(1).getFirst();
            assertEquals(WorkCompletionStatus.SUCCESS, received.status());
            assertEquals(shape.length(), received.byteLength(), "length in the receive's completion");
            assertSucceeded(pair);
            pair.responder().assertHolds(expected);
        }
    }

    @Rule(
            id = "MTU-02",
            text = "An RDMA WRITE of any size puts exactly its bytes where it says, and nothing beside them changes.",
            source = "IBTA volume 1, 9.7.2 and 9.4.3; ibv_modify_qp(3), path_mtu",
            lookAt = {
                "how the remote address moves on from packet to packet",
                "the length in the RETH against the payloads that follow"
            })
    @Property
    default void aWriteOfAnySizeArrivesUnaltered(@ForAll(supplier = MessageShape.Any.class) MessageShape shape)
            throws VerbsException {
        try (Pair pair = connected(shape)) {
            byte[] expected = expected(pair, shape);
            long address = pair.responder().region().address() + shape.offset();
            int rkey = pair.responder().region().rkey();
            pair.requester().postWrite(2, 0, shape.length(), address, rkey);
            assertSucceeded(pair);
            // A WRITE tells the responder nothing; what was sent behind it does, when it has come.
            pair.responder().postReceive(3, 0, 0);
            pair.requester().postSend(4, true, 0, 0);
            pair.responder().awaitReceives(1);
            pair.responder().assertHolds(expected);
        }
    }

    private Pair connected(MessageShape shape) throws VerbsException {
        EndpointOptions options = EndpointOptions.usual().withBytes(MessageShape.MOST_BYTES);
        return Pair.connected(openRig(), options, settings -> settings.pathMtu(shape.pathMtu()));
    }

    private static byte[] expected(Pair pair, MessageShape shape) {
        byte[] message = pair.requester().write(0, shape.length(), shape.offset());
        byte[] expected = pair.responder().contents();
        System.arraycopy(message, 0, expected, Endpoint.GUARD + shape.offset(), message.length);
        return expected;
    }

    private static void assertSucceeded(Pair pair) {
        List<Completion> sent = pair.requester().awaitSends(1);
        assertEquals(List.of(WorkCompletionStatus.SUCCESS), Completion.statuses(sent));
    }
}
