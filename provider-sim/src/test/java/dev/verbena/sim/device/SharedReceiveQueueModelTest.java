// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Random programs over a shared receive queue of several queue pairs, against a deque. */
class SharedReceiveQueueModelTest {
    private static final int QPS = 3;
    private static final int STEPS = 60;
    private static final QpCapabilities SIZES = new QpCapabilities(15, 15, 1, 1, 0);

    private final Deque<Long> model = new ArrayDeque<>();
    private final Endpoint[] senders = new Endpoint[QPS];
    private final Endpoint[] receivers = new Endpoint[QPS];
    private Lab lab;
    private Node node;
    private SharedReceiveQueue queue;
    private int capacity;
    private int limit;
    private long nextId;

    @Property(tries = 60)
    void receivesGoToMessagesInTheOrderOfBoth(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int depth)
            throws VerbsException {
        Random random = new Random(seed);
        try (Lab made = new Lab()) {
            prepare(made, depth);
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(5)) {
                    case 0 -> post(random.nextInt(10));
                    case 1, 2 -> send(random.nextInt(QPS), random.nextInt(1000));
                    case 3 -> arm(random.nextInt(50));
                    default -> resize(random.nextInt(50));
                }
                assertThat(queue.query().limit()).isEqualTo(limit);
                assertThat(queue.query().maxWr()).isEqualTo(capacity);
            }
        }
    }

    private void prepare(Lab made, int depth) throws VerbsException {
        lab = made;
        node = lab.node("sim0", "192.0.2.1");
        Node peer = lab.node("sim1", "192.0.2.2");
        queue = node.domain().createSrq(SrqInitAttributes.builder().maxWr(depth).build());
        for (int i = 0; i < QPS; i++) {
            receivers[i] = new Endpoint(
                    node,
                    node.domain()
                            .createQp(QpInitAttributes.builder()
                                    .type(QpType.RC)
                                    .sendCq(node.newCq())
                                    .receiveCq(node.newCq())
                                    .srq(queue)
                                    .capabilities(SIZES)
                                    .build()));
            senders[i] = peer.endpoint(SIZES);
            senders[i].connect(receivers[i], Connection.USUAL);
        }
        model.clear();
        capacity = roundUp(depth);
        limit = 0;
        nextId = 0;
    }

    private static int roundUp(int depth) {
        int slots = 1;
        while (slots <= depth) {
            slots *= 2;
        }
        return slots - 1;
    }

    private void post(int count) {
        if (count == 0) {
            return;
        }
        ReceiveRequests batch = queue.newReceiveRequests(count);
        for (int i = 0; i < count; i++) {
            batch.get(i).id(nextId + i).sge(node.region(), 0, 1000);
        }
        int taken = queue.postReceive(batch, 0, count);
        assertThat(taken).isEqualTo(Math.min(count, capacity - model.size()));
        for (int i = 0; i < taken; i++) {
            model.add(nextId++);
        }
    }

    private void send(int qp, int length) {
        if (model.isEmpty()) {
            return;
        }
        senders[qp].send(1, 0, length);
        lab.settle();
        assertThat(receivers[qp].receives()).containsExactly("RECV " + model.remove() + " of " + length + " bytes");
        assertThat(senders[qp].sends()).containsExactly("SEND 1");
        boolean reached = model.size() < limit;
        limit = reached ? 0 : limit;
        assertThat(node.events()).isEqualTo(reached ? List.of("SRQ_LIMIT_REACHED") : List.of());
    }

    private void arm(int value) throws VerbsException {
        if (value > capacity) {
            assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> queue.armLimit(value));
        } else {
            queue.armLimit(value);
            limit = value;
        }
    }

    private void resize(int depth) throws VerbsException {
        if (depth == 0 || depth < limit || depth < model.size()) {
            assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> queue.resize(depth));
        } else {
            queue.resize(depth);
            capacity = roundUp(depth);
        }
    }
}
