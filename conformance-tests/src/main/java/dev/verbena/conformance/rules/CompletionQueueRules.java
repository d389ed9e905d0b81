// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.arbitraries.Size;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Cq;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.QpAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of rule area COMP about shared completion queues and polling. */
public interface CompletionQueueRules extends RuleSet {
    private static void post(End end, int count) {
        for (int i = 0; i < count; i++) {
            end.send(i, 0, 8);
        }
    }

    @Rule(
            id = "COMP-07",
            text = "If several queue pairs share a completion queue, each completion contains the number of its queue"
                    + " pair, even if the status of the completion is an error. The completions of each queue pair are"
                    + " in the order of its requests.",
            source = "ibv_poll_cq(3) (qp_num); IBTA volume 1, section 11.4.2.1",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the queue pair number of completions with an error"})
    default void completionsContainTheirQueuePairNumber(@Size(max = 12) List<Boolean> which, boolean fails) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            Shape shape = Shape.usual();
            Cq queue = Cq.open(pair.first(), 64);
            End one = ends.requester().withQp(shape, queue, queue);
            End two = ends.requester().withQp(shape, queue, queue);
            pair.connect(new Pair.Ends(one, ends.responder().withQp(shape)), Connection.usual());
            pair.connect(new Pair.Ends(two, ends.responder().withQp(shape)), Connection.usual());
            List<Long> ofOne = new ArrayList<>();
            List<Long> ofTwo = new ArrayList<>();
            for (int i = 0; i < which.size(); i++) {
                End end = which.get(i) ? one : two;
                (which.get(i) ? ofOne : ofTwo).add((long) i);
                Send send =
                        fails ? Send.send(i) : Send.write(i, ends.responder().at(0));
                end.send(send.from(end.sge(0, 8)));
            }
            if (fails) {
                one.qp().modify(QpAttributes.error());
                two.qp().modify(QpAttributes.error());
            }
            List<Completion> found = queue.await(which.size());
            assertEquals(ofOne, of(one, found), "requests of the first queue pair");
            assertEquals(ofTwo, of(two, found), "requests of the second queue pair");
            queue.assertQuiet();
        }
    }

    private static List<Long> of(End end, List<Completion> completions) {
        return completions.stream()
                .filter(completion -> completion.qpNumber() == end.qp().number())
                .map(Completion::id)
                .toList();
    }

    @Rule(
            id = "COMP-08",
            text = "One completion queue can serve the sends and the receives of one queue pair, and"
                    + " reports each completion once.",
            source = "ibv_create_qp(3) (send_cq and recv_cq)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the handling of queue pairs that use one completion queue for sends and receives"})
    default void oneCompletionQueueServesSendsAndReceives(@IntRange(min = 1, max = 8) int messages) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            Cq queue = Cq.open(pair.first(), 64);
            End end = ends.requester().withQp(Shape.usual(), queue, queue);
            pair.connect(new Pair.Ends(end, ends.responder()), Connection.usual());
            for (int i = 0; i < messages; i++) {
                end.receive(100 + i, 0, 8);
                ends.responder().receive(i, 0, 8);
                end.send(i, 0, 8);
                ends.responder().send(100 + i, 0, 8);
            }
            Set<Long> expected = new HashSet<>(ids(0, messages));
            expected.addAll(ids(100, messages));
            List<Completion> found = queue.await(2 * messages);
            assertEquals(expected, new HashSet<>(Completion.ids(found)), "ids of the completions");
            queue.assertQuiet();
        }
    }

    @Rule(
            id = "COMP-09",
            text = "Polling a CQ with any maximum number of entries returns each completion once, in order.",
            source = "ibv_poll_cq(3) (num_entries)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the consumer index after a poll that returns only a part of the queue's completions"})
    default void anyPollSizeReturnsEachCompletionOnce(
            @Size(min = 1, max = 16) List<@IntRange(min = 1, max = 5) Integer> batches) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            ends.requester().qp().modify(QpAttributes.error());
            post(ends.requester(), 16);
            List<Long> found = new ArrayList<>();
            for (int batch : batches) {
                int left = 16 - found.size();
                found.addAll(Completion.ids(ends.requester().sends().await(Math.min(batch, left))));
            }
            found.addAll(Completion.ids(ends.requester().sends().await(16 - found.size())));
            assertEquals(ids(0, 16), found, "ids of the completions");
            assertEquals(List.of(), ends.requester().sends().poll(1), "completions in excess of the requests");
        }
    }
}
