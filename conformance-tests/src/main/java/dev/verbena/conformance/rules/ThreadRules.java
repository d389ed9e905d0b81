// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.conformance.side.Step;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.QpAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rules of rule area THREADS about several threads that use one device. */
public interface ThreadRules extends RuleSet {
    private static Shape deep() {
        return Shape.usual().withDepths(128, 128);
    }

    @Rule(
            id = "THREADS-01",
            text = "Several threads can post to one queue pair: every request completes once, and the requests of each"
                    + " thread complete in the order of posting.",
            source = "the Javadoc of QueuePair; ibv_post_send(3) (thread safety)",
            rig = {Needs.WALL_TIME},
            lookAt = {"the lock around the send queue"})
    default void severalThreadsCanPost(@IntRange(min = 2, max = 4) int threads) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(deep());
            End requester = ends.requester();
            List<List<Step>> lists = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                List<Step> steps = new ArrayList<>();
                for (int i = 0; i < 25; i++) {
                    Send write = Send.write(1000L * thread + i, ends.responder().at(0))
                            .from(requester.sge(0, 8));
                    steps.add(new Step.PostSend(requester.qp().handle(), List.of(write)));
                }
                lists.add(steps);
            }
            pair.first().concurrently(lists);
            List<Completion> found = requester.sends().await(25 * threads);
            for (int thread = 0; thread < threads; thread++) {
                long first = 1000L * thread;
                assertEquals(
                        ids(first, 25),
                        Completion.ids(found).stream()
                                .filter(id -> id / 1000 == first / 1000)
                                .toList(),
                        "requests of thread " + thread);
            }
            requester.sends().assertQuiet();
        }
    }

    @Rule(
            id = "THREADS-02",
            text = "Several threads can poll one completion queue: each completion is returned to exactly one thread.",
            source = "the Javadoc of CompletionQueue; ibv_poll_cq(3)",
            rig = {Needs.WALL_TIME},
            lookAt = {"concurrent changes of the consumer index of the completion queue"})
    default void severalThreadsCanPoll(@IntRange(min = 2, max = 4) int threads) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(deep());
            End requester = ends.requester();
            requester.qp().modify(QpAttributes.error());
            for (int i = 0; i < 100; i++) {
                requester.send(i, 0, 8);
            }
            List<List<Step>> lists = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                List<Step> steps = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    steps.add(new Step.Poll(requester.sends().handle(), 3));
                }
                lists.add(steps);
            }
            List<Long> found = new ArrayList<>(Completion.ids(pair.first().concurrently(lists)));
            // After the polling threads have ended, the queue pair may still flush send requests.
            found.addAll(Completion.ids(requester.sends().await(Math.max(0, 100 - found.size()))));
            requester.sends().assertQuiet();
            found.sort(null);
            assertEquals(ids(0, 100), found, "ids of the completions");
        }
    }

    @Rule(
            id = "THREADS-03",
            text = "Threads can register and close memory regions while RDMA WRITEs use another memory region.",
            source = "the Javadoc of ProtectionDomain; ibv_reg_mr(3)",
            rig = {Needs.WALL_TIME},
            lookAt = {"the changes of the table of keys while other threads look up keys"})
    default void regionsCanBeRegisteredAndClosedDuringTraffic(@IntRange(min = 1, max = 3) int others) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(deep());
            End requester = ends.requester();
            List<List<Step>> lists = new ArrayList<>();
            List<Step> traffic = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                traffic.add(new Step.PostSend(
                        requester.qp().handle(),
                        List.of(Send.write(i, ends.responder().at(0)).from(requester.sge(0, 64)))));
            }
            lists.add(traffic);
            for (int other = 0; other < others; other++) {
                List<Step> steps = new ArrayList<>();
                for (int i = 0; i < 30; i++) {
                    int handle = 10_000 + 1000 * other + i;
                    steps.add(new Step.Register(
                            handle,
                            requester.pd().handle(),
                            new Step.Range(requester.memory().handle(), 0, 64),
                            Optional.empty(),
                            Set.of(AccessFlag.LOCAL_WRITE)));
                    steps.add(new Step.Close(handle));
                }
                lists.add(steps);
            }
            pair.first().concurrently(lists);
            requester.sends().awaitIds(ids(0, 60).toArray(Long[]::new));
        }
    }

    @Rule(
            id = "THREADS-04",
            text = "A thread can move a queue pair to ERR while another thread posts to it: every accepted"
                    + " request completes once, in order.",
            source = "the Javadoc of QueuePair; IBTA volume 1, section 10.3.1",
            rig = {Needs.WALL_TIME},
            lookAt = {"the handling of a post while another thread flushes the queue pair"})
    default void aThreadCanMoveToErrWhileAnotherPosts(@IntRange(max = 20) int delay) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(deep());
            End requester = ends.requester();
            List<Step> posts = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                posts.add(new Step.PostSend(
                        requester.qp().handle(),
                        List.of(Send.write(i, ends.responder().at(0)).from(requester.sge(0, 8)))));
            }
            List<Step> error = new ArrayList<>();
            for (int i = 0; i < delay; i++) {
                error.add(new Step.AskState(requester.qp().handle()));
            }
            error.add(new Step.Modify(requester.qp().handle(), QpAttributes.error()));
            pair.first().concurrently(List.of(posts, error));
            assertEquals(ids(0, 60), Completion.ids(requester.sends().await(60)), "ids of the completions");
            requester.sends().assertQuiet();
        }
    }

    @Rule(
            id = "THREADS-05",
            text = "Several threads can post to one shared receive queue: every receive is consumed once.",
            source = "the Javadoc of SharedReceiveQueue; ibv_post_srq_recv(3)",
            needs = {Capability.RC, Capability.SRQ},
            rig = {Needs.WALL_TIME},
            lookAt = {"the lock around the tail of the shared receive queue"})
    default void severalThreadsCanPostToASharedReceiveQueue(@IntRange(min = 2, max = 4) int threads) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(deep(), deep().withSrq(128), Connection.usual());
            int queue = ends.responder().srq().orElseThrow().handle();
            List<List<Step>> lists = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                List<Step> steps = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    steps.add(new Step.PostReceive(
                            queue, List.of(ends.responder().into(20L * thread + i, 0, 8))));
                }
                lists.add(steps);
            }
            pair.second().concurrently(lists);
            for (int i = 0; i < 20 * threads; i++) {
                ends.requester().send(i, 0, 8);
            }
            List<Long> found =
                    new ArrayList<>(Completion.ids(ends.responder().receives().await(20 * threads)));
            found.sort(null);
            assertEquals(ids(0, 20 * threads), found, "ids of the completions");
        }
    }
}
