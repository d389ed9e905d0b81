package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.Completion;
import dev.verbena.conformance.Endpoint;
import dev.verbena.conformance.EndpointOptions;
import dev.verbena.conformance.Pair;
import dev.verbena.conformance.Rule;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkRequests;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Area POST: what a post takes, what it refuses, and what becomes of the rest. */
public interface PostRules extends RuleSet {
    @Rule(
            id = "POST-01",
            text =
                    "A send queue takes as many requests as its depth says and refuses the next with ENOMEM and its index;"
                            + " those taken are carried out in order, and then there is room again.",
            source = "ibv_post_send(3); IBTA volume 1, 10.8.2",
            lookAt = {
                "the full test of the send queue's ring, and the depth that capabilities() reports",
                "whether a refusal publishes, or takes back, requests in front of it"
            })
    @Property
    default void aFullSendQueueRefusesTheNextRequestAndKeepsTheOthers(@ForAll @IntRange(min = 1, max = 40) int asked)
            throws VerbsException {
        // Nothing is received at first, so that no slot becomes free while the queue is filled.
        EndpointOptions options = EndpointOptions.usual().withDepths(asked, asked);
        try (Pair pair = Pair.connected(openRig(), options)) {
            QueuePair queuePair = pair.requester().queuePair();
            int depth = queuePair.capabilities().maxSendWr();
            SendRequests batch = queuePair.newSendRequests(depth + 1);
            for (int i = 0; i <= depth; i++) {
                batch.get(i).send().id(i).signaled().sge(pair.requester().region(), i, 1);
            }
            assertEquals(depth, queuePair.postSend(batch, depth + 1), "requests taken by a queue of depth " + depth);
            assertRefused(batch, depth, Errno.ENOMEM);
            for (int i = 0; i < depth; i++) {
                receiveOneByte(pair.responder(), i, depth);
                assertEquals(List.of((long) i), Completion.ids(pair.requester().awaitSends(1)));
            }
            assertEquals(1, queuePair.postSend(batch, depth, 1), "requests taken when there is room again");
            receiveOneByte(pair.responder(), depth, depth);
            assertEquals(List.of((long) depth), Completion.ids(pair.requester().awaitSends(1)));
        }
    }

    private static void receiveOneByte(Endpoint endpoint, int id, int offset) {
        endpoint.postReceive(id, offset, 1);
        assertEquals(List.of((long) id), Completion.ids(endpoint.awaitReceives(1)));
    }

    private static void assertRefused(WorkRequests batch, int index, Errno errno) {
        assertEquals(index, batch.refusedIndex(), "index of the refused request");
        assertEquals(errno, batch.refusal().errno(), () -> "errno of " + batch.refusal());
    }

    @Rule(
            id = "POST-02",
            text = "Sends are refused with EINVAL in RESET, INIT and RTR, and leave nothing behind.",
            source = "ibv_post_send(3); IBTA volume 1, 10.3.1",
            lookAt = {"the test of the state in post_send; it comes before anything is written to the queue"})
    @Example
    default void sendsAreRefusedBeforeTheQueuePairIsReadyToSend() throws VerbsException {
        try (Pair pair = Pair.unconnected(openRig(), EndpointOptions.usual())) {
            Endpoint endpoint = pair.requester();
            assertSendRefused(endpoint);
            QpConnector.of(endpoint.queuePair()).initialize();
            assertSendRefused(endpoint);
            pair.connect(settings -> {});
            pair.responder().postReceive(7, 0, 1);
            endpoint.postSend(8, true, 0, 1);
            assertEquals(List.of(8L), Completion.ids(endpoint.awaitSends(1)));
            assertEquals(List.of(7L), Completion.ids(pair.responder().awaitReceives(1)));
            endpoint.assertQuiet();
            pair.responder().assertQuiet();
        }
    }

    private static void assertSendRefused(Endpoint endpoint) {
        QueuePair queuePair = endpoint.queuePair();
        SendRequests batch = queuePair.newSendRequests(2);
        for (int i = 0; i < 2; i++) {
            batch.get(i).send().id(100 + i).signaled().sge(endpoint.region(), 0, 1);
        }
        assertEquals(0, queuePair.postSend(batch, 2), () -> "requests taken in " + queuePair.state());
        assertRefused(batch, 0, Errno.EINVAL);
    }

    @Rule(
            id = "POST-03",
            text = "Receives are refused with EINVAL in RESET; from INIT on they are taken, and used once connected.",
            source = "ibv_post_recv(3); IBTA volume 1, 10.3.1",
            lookAt = {"the test of the state in post_recv", "what the transition to RTR does to the receive queue"})
    @Example
    default void receivesAreTakenFromInitOn() throws VerbsException {
        try (Pair pair = Pair.unconnected(openRig(), EndpointOptions.usual())) {
            Endpoint endpoint = pair.responder();
            QueuePair queuePair = endpoint.queuePair();
            ReceiveRequests batch = queuePair.newReceiveRequests(1);
            batch.get(0).clear().id(5).sge(endpoint.region(), 0, 16);
            assertEquals(0, queuePair.postReceive(batch, 1), "receives taken in RESET");
            assertRefused(batch, 0, Errno.EINVAL);
            QpConnector.of(queuePair).initialize();
            assertEquals(1, queuePair.postReceive(batch, 1), "receives taken in INIT");
            pair.connect(settings -> {});
            pair.requester().postSend(6, true, 0, 16);
            assertEquals(List.of(6L), Completion.ids(pair.requester().awaitSends(1)));
            assertEquals(List.of(5L), Completion.ids(endpoint.awaitReceives(1)));
            endpoint.assertQuiet();
        }
    }

    @Rule(
            id = "POST-04",
            text =
                    "A request that can never be carried out stops the post at its index with EINVAL; those before it are"
                            + " carried out, those behind it are not.",
            source = "ibv_post_send(3), bad_wr",
            lookAt = {
                "the checks of a single request in post_send",
                "whether the doorbell is rung for the requests in front of the refused one"
            })
    @Property
    default void aBadRequestStopsThePostAtItsIndex(
            @ForAll @IntRange(max = 7) int before, @ForAll @IntRange(max = 7) int behind) throws VerbsException {
        try (Pair pair = Pair.connected(openRig())) {
            for (int i = 0; i < before; i++) {
                pair.responder().postReceive(i, 0, 16);
            }
            QueuePair queuePair = pair.requester().queuePair();
            int count = before + 1 + behind;
            SendRequests batch = queuePair.newSendRequests(count);
            for (int i = 0; i < count; i++) {
                SendWorkRequest request = batch.get(i).send().id(i).signaled();
                addEntries(request, pair.requester().region(), i == before ? oneTooMany(queuePair) : 1);
            }
            assertEquals(before, queuePair.postSend(batch, count), "requests taken");
            assertRefused(batch, before, Errno.EINVAL);
            List<Long> expected = LongStream.range(0, before).boxed().toList();
            assertEquals(expected, Completion.ids(pair.requester().awaitSends(before)));
            assertEquals(expected, Completion.ids(pair.responder().awaitReceives(before)));
            pair.requester().assertQuiet();
        }
    }

    private static int oneTooMany(QueuePair queuePair) {
        return queuePair.capabilities().maxSendSge() + 1;
    }

    private static void addEntries(SendWorkRequest request, MemoryRegion region, int count) {
        for (int i = 0; i < count; i++) {
            request.sge(region, i, 1);
        }
    }
}
