// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.scale;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Connected queue pairs of two devices in quantity, without further objects. */
final class Pairs {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int BYTES = 100;

    /** Two ends of a connection. */
    record Pair(QueuePair left, QueuePair right) {
        void close() throws VerbsException {
            left.close();
            right.close();
        }
    }

    private final Lab lab;
    private final Node left;
    private final Node right;
    private final QpCapabilities sizes;
    private final List<Pair> all = new ArrayList<>();

    Pairs(Lab lab, QpCapabilities sizes) throws VerbsException {
        this.lab = lab;
        this.sizes = sizes;
        left = lab.node("sim0", "192.0.2.1");
        right = lab.node("sim1", "192.0.2.2");
        left.fill(0, BYTES, 1);
    }

    Node left() {
        return left;
    }

    Node right() {
        return right;
    }

    List<Pair> all() {
        return all;
    }

    /** Makes a number of pairs, each queue with its own completion queue. */
    void addWithOwnQueues(int count) throws VerbsException {
        for (int i = 0; i < count; i++) {
            all.add(connect(
                    create(left, left.newCq(sizes.maxSendWr()), left.newCq(sizes.maxReceiveWr())),
                    create(right, right.newCq(sizes.maxSendWr()), right.newCq(sizes.maxReceiveWr()))));
        }
    }

    /** Makes a number of pairs, with one completion queue on each side. */
    void addWithSharedQueues(int count) throws VerbsException {
        CompletionQueue leftQueue = left.newCq();
        CompletionQueue rightQueue = right.newCq();
        for (int i = 0; i < count; i++) {
            all.add(connect(create(left, leftQueue, leftQueue), create(right, rightQueue, rightQueue)));
        }
    }

    /** Closes all pairs, which are reachable until then. */
    void close() throws VerbsException {
        for (Pair pair : all) {
            pair.close();
        }
        all.clear();
    }

    QueuePair create(Node node, CompletionQueue sends, CompletionQueue receives) throws VerbsException {
        return node.domain()
                .createQp(QpInitAttributes.builder()
                        .type(QpType.RC)
                        .sendCq(sends)
                        .receiveCq(receives)
                        .capabilities(sizes)
                        .build());
    }

    Pair connect(QueuePair here, QueuePair there) throws VerbsException {
        Connection.USUAL.apply(here, right.address(), there.number());
        Connection.USUAL.reversed().apply(there, left.address(), here.number());
        return new Pair(here, there);
    }

    /** Sends a message over a pair and polls both completions; false if they do not arrive. */
    boolean use(Pair pair) {
        ReceiveRequests receives = pair.right.newReceiveRequests(1);
        receives.get(0).clear().sge(right.region(), 0, BYTES);
        pair.right.postReceive(receives, 1);
        SendRequests sends = pair.left.newSendRequests(1);
        sends.get(0).send().signaled().sge(left.region(), 0, BYTES);
        pair.left.postSend(sends, 1);
        return completes(pair.right.receiveCq()) && completes(pair.left.sendCq());
    }

    private boolean completes(CompletionQueue queue) {
        WorkCompletions batch = queue.newCompletions(1);
        return lab.until(() -> queue.poll(batch) == 1, PATIENCE) && batch.get(0).isSuccess();
    }
}
