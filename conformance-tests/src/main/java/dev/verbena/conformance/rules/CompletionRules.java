package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.conformance.Completion;
import dev.verbena.conformance.Endpoint;
import dev.verbena.conformance.Pair;
import dev.verbena.conformance.Rule;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Area COMP: which requests complete, how often, and in which order. */
public interface CompletionRules extends RuleSet {
    @Rule(
            id = "COMP-01",
            text =
                    "Of requests that succeed exactly the signaled ones complete, once each, in the order of posting; every"
                            + " receive that a message used completes once, in the order of posting, with the message's length.",
            source = "ibv_post_send(3), ibv_poll_cq(3); IBTA volume 1, 10.8.3.3 and 10.8.5",
            lookAt = {
                "how an acknowledgement that covers several requests completes them",
                "where the signaled flag of a request, and the queue pair's signalAll, are looked at"
            })
    @Property
    default void exactlyTheSignaledRequestsCompleteInTheOrderOfPosting(
            @ForAll @Size(min = 1, max = 16) List<Boolean> signaled) throws VerbsException {
        try (Pair pair = Pair.connected(openRig())) {
            int count = signaled.size();
            List<Long> expected = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                pair.responder().postReceive(100 + i, 0, 64);
            }
            for (int i = 0; i < count; i++) {
                pair.requester().postSend(i, signaled.get(i), 0, 1 + i);
                if (signaled.get(i)) {
                    expected.add((long) i);
                }
            }
            List<Completion> received = pair.responder().awaitReceives(count);
            List<Completion> sent = pair.requester().awaitSends(expected.size());
            assertEquals(expected, Completion.ids(sent), "sends that completed");
            assertTrue(sent.stream().allMatch(done -> done.opcode() == WorkCompletionOpcode.SEND), sent::toString);
            for (int i = 0; i < count; i++) {
                assertEquals(
                        new Completion(
                                100L + i,
                                WorkCompletionStatus.SUCCESS,
                                pair.responder().queuePair().number(),
                                WorkCompletionOpcode.RECEIVE,
                                1L + i),
                        received.get(i));
            }
            pair.requester().assertQuiet();
            pair.responder().assertQuiet();
        }
    }

    @Rule(
            id = "COMP-02",
            text =
                    "When a queue pair goes to ERR, every request in its queues completes once with WR_FLUSH_ERR, signaled or"
                            + " not, in the order of posting of its queue.",
            source = "ibv_modify_qp(3); IBTA volume 1, 10.3.1 and 10.8.5",
            lookAt = {
                "the flush of both queues in ERR, also of requests that were already sent",
                "whether a request that is repeated because of RNR is flushed like any other"
            })
    @Property
    default void everythingIsFlushedInOrderWhenTheQueuePairGoesToErr(
            @ForAll @Size(max = 16) List<Boolean> signaled, @ForAll @IntRange(max = 16) int receives)
            throws VerbsException {
        try (Pair pair = Pair.connected(openRig())) {
            Endpoint endpoint = pair.requester();
            // The peer has no receive, so none of the sends can end before the flush.
            for (int i = 0; i < signaled.size(); i++) {
                endpoint.postSend(i, signaled.get(i), 0, 8);
            }
            for (int i = 0; i < receives; i++) {
                endpoint.postReceive(100 + i, 0, 8);
            }
            endpoint.queuePair().modify(QpAttributes.error());
            assertFlushed(0, endpoint.awaitSends(signaled.size()));
            assertFlushed(100, endpoint.awaitReceives(receives));
            endpoint.assertQuiet();
            pair.responder().assertQuiet();
        }
    }

    @Rule(
            id = "COMP-03",
            text = "In ERR posts are still taken, and each request completes once with WR_FLUSH_ERR.",
            source = "IBTA volume 1, 10.3.1; the drain idiom of ib_drain_qp",
            lookAt = {"whether a post in ERR wakes the flush", "unsignaled requests posted in ERR"})
    @Property
    default void whatIsPostedInErrIsFlushed(
            @ForAll @Size(min = 1, max = 16) List<Boolean> signaled, @ForAll @IntRange(max = 16) int receives)
            throws VerbsException {
        try (Pair pair = Pair.connected(openRig())) {
            Endpoint endpoint = pair.requester();
            endpoint.queuePair().modify(QpAttributes.error());
            for (int i = 0; i < signaled.size(); i++) {
                endpoint.postSend(i, signaled.get(i), 0, 8);
            }
            for (int i = 0; i < receives; i++) {
                endpoint.postReceive(100 + i, 0, 8);
            }
            assertFlushed(0, endpoint.awaitSends(signaled.size()));
            assertFlushed(100, endpoint.awaitReceives(receives));
            endpoint.assertQuiet();
        }
    }

    private static void assertFlushed(long firstId, List<Completion> completions) {
        int count = completions.size();
        assertEquals(
                LongStream.range(firstId, firstId + count).boxed().toList(),
                Completion.ids(completions),
                "order of the flush");
        assertEquals(
                Collections.nCopies(count, WorkCompletionStatus.WORK_REQUEST_FLUSHED_ERROR),
                Completion.statuses(completions));
    }
}
