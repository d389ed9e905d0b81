// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Crew;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.wire.Opcode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Capacity, overrun, and the completions of queue pairs that were destroyed or reset. */
class CompletionQueueTest {
    private static final QpCapabilities SIZES = QpCapabilities.of(63, 63);

    /** Returns a queue pair in ERR: a request posted to it completes at once. */
    private static Endpoint flushing(Node node, CompletionQueue queue) throws VerbsException {
        Endpoint endpoint = node.endpoint(SIZES, queue, queue);
        endpoint.qp().modify(Connection.USUAL.toInit());
        endpoint.fail();
        return endpoint;
    }

    private static List<Long> poll(CompletionQueue queue, int most) {
        WorkCompletions batch = queue.newCompletions(most);
        queue.poll(batch);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++) {
            ids.add(batch.get(i).workRequestId());
        }
        return ids;
    }

    /** Steps 0 to 39 poll, 40 to 79 add, the others resize. */
    @Property(tries = 100)
    void resizingKeepsWhatIsThereInOrder(
            @ForAll @IntRange(min = 1, max = 20) int first,
            @ForAll @Size(max = 60) List<@IntRange(max = 119) Integer> steps)
            throws VerbsException {
        try (Lab lab = new Lab()) {
            Node node = lab.node("sim0", "192.0.2.1");
            CompletionQueue queue = node.newCq(first);
            Endpoint endpoint = flushing(node, queue);
            Deque<Long> model = new ArrayDeque<>();
            long id = 0;
            for (int step : steps) {
                int number = step % 40;
                if (step < 40) {
                    List<Long> expected = new ArrayList<>();
                    for (int i = 0; i <= number && !model.isEmpty(); i++) {
                        expected.add(model.remove());
                    }
                    assertThat(poll(queue, number + 1)).isEqualTo(expected);
                } else if (step < 80) {
                    for (int i = 0; i < number && model.size() < queue.capacity(); i++) {
                        endpoint.receive(id, 0, 1);
                        lab.settle();
                        model.add(id++);
                    }
                } else if (number > 0 && number >= model.size()) {
                    queue.resize(number);
                    assertThat(queue.capacity()).isBetween(number, 2 * number);
                } else {
                    assertRefused(queue, number);
                }
            }
            assertThat(model.isEmpty() ? List.of() : poll(queue, model.size())).isEqualTo(List.copyOf(model));
        }
    }

    private static void assertRefused(CompletionQueue queue, int capacity) {
        int before = queue.capacity();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> queue.resize(capacity))
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
        assertThat(queue.capacity()).isEqualTo(before);
    }

    @Test
    void aDeviceWithoutResizingRefusesIt() throws VerbsException {
        try (Lab lab = new Lab()) {
            Node node = lab.node(
                    "sim0",
                    "192.0.2.1",
                    profile -> profile.toBuilder().without(Capability.CQ_RESIZE).build());
            CompletionQueue queue = node.newCq(5);
            assertThatExceptionOfType(CapabilityException.class).isThrownBy(() -> queue.resize(9));
            assertThat(queue.capacity()).isEqualTo(7);
        }
    }

    @Test
    void aClosedQueueIsNotResized() throws VerbsException {
        try (Lab lab = new Lab()) {
            CompletionQueue queue = lab.node("sim0", "192.0.2.1").newCq(5);
            queue.close();
            assertThatIllegalStateException().isThrownBy(() -> queue.resize(9));
        }
    }

    @Test
    void noCompletionIsLostWhileSeveralThreadsAddPollAndResize() throws Exception {
        int each = 400;
        int posters = 2;
        try (Lab lab = new Lab(new ThreadRuntime(1))) {
            Node node = lab.node("sim0", "192.0.2.1");
            CompletionQueue queue = node.newCq(posters * each);
            AtomicInteger polled = new AtomicInteger();
            Crew crew = new Crew();
            for (int i = 0; i < posters; i++) {
                Endpoint endpoint = flushing(node, queue);
                crew.add(() -> {
                    for (int id = 0; id < each; id++) {
                        while (endpoint.receive(id, 0, 1) != PostRefusal.NONE) {
                            Thread.onSpinWait();
                        }
                    }
                    return null;
                });
            }
            crew.add(() -> {
                while (polled.get() < posters * each) {
                    polled.addAndGet(poll(queue, 5).size());
                }
                return null;
            });
            crew.add(() -> {
                for (int round = 0; round < 200; round++) {
                    queue.resize(posters * each + round % 3 * 1000);
                }
                return null;
            });
            crew.run();
            assertThat(lab.until(() -> poll(queue, 1).isEmpty(), Duration.ofSeconds(1)))
                    .isTrue();
            assertThat(polled).hasValue(posters * each);
        }
    }

    @Test
    void aQueueThatLostACompletionIsUsableToItsLastOneOnly() throws VerbsException {
        try (Lab lab = new Lab()) {
            Node node = lab.node("sim0", "192.0.2.1");
            CompletionQueue queue = node.newCq(3);
            Endpoint endpoint = flushing(node, queue);
            for (int id = 0; id < 5; id++) {
                endpoint.receive(id, 0, 1);
            }
            lab.settle();
            assertThat(node.events()).containsExactly("CQ_ERR");
            queue.requestNotification(Notification.NEXT_COMPLETION);
            assertThat(poll(queue, 2)).containsExactly(0L, 1L);
            assertThat(poll(queue, 2)).containsExactly(2L);
            assertThatIllegalStateException().isThrownBy(() -> poll(queue, 1)).withMessageContaining("CQ_ERR");
            assertThatIllegalStateException()
                    .isThrownBy(() -> queue.requestNotification(Notification.NEXT_COMPLETION))
                    .withMessageContaining("CQ_ERR");
            endpoint.receive(9, 0, 1);
            lab.settle();
            assertThatIllegalStateException().isThrownBy(() -> poll(queue, 1));
            assertThat(node.events()).isEmpty();
        }
    }

    @Test
    void softRoceReportsEveryLossAndContinues() throws VerbsException {
        try (Lab lab = new Lab()) {
            Node node = lab.node(
                    "sim0",
                    "192.0.2.1",
                    profile ->
                            profile.toBuilder().with(Quirk.CQ_OVERRUN_GOES_ON).build());
            ScriptedPeer peer = lab.scriptedPeer("192.0.2.9");
            CompletionQueue sends = node.newCq(1);
            CompletionQueue receives = node.newCq(1);
            Endpoint endpoint = node.endpoint(SIZES, sends, receives);
            endpoint.connect(peer, Connection.USUAL);
            for (int id = 0; id < 3; id++) {
                endpoint.send(id, 0, 1);
                peer.acknowledges(200 + id);
            }
            assertThat(node.events()).containsExactly("CQ_ERR", "CQ_ERR");
            assertThat(endpoint.state()).isEqualTo(QpState.RTS);
            assertThat(endpoint.sends()).containsExactly("SEND 0");
            endpoint.send(3, 0, 1);
            peer.acknowledges(203);
            assertThat(endpoint.sends()).containsExactly("SEND 3");
            // A receive that is lost still makes the queue pair fail.
            endpoint.receive(1, 0, 9);
            endpoint.receive(2, 0, 9);
            peer.received();
            peer.asks(Opcode.RC_SEND_ONLY, 100, 1);
            peer.asks(Opcode.RC_SEND_ONLY, 101, 1);
            assertThat(peer.received()).containsExactly("ACK 100 msn 1");
            assertThat(endpoint.state()).isEqualTo(QpState.ERR);
        }
    }

    private interface End {
        void of(Endpoint endpoint) throws VerbsException;
    }

    private static List<Long> leftAfter(End end, Quirk... quirks) throws VerbsException {
        try (Lab lab = new Lab()) {
            Node node = lab.node(
                    "sim0",
                    "192.0.2.1",
                    profile -> profile.toBuilder().with(quirks).build());
            CompletionQueue queue = node.newCq(7);
            Endpoint ending = flushing(node, queue);
            Endpoint staying = flushing(node, queue);
            // Entries continue after the end of the ring.
            staying.receive(0, 0, 1);
            staying.receive(0, 0, 1);
            lab.settle();
            poll(queue, 2);
            for (int id = 1; id <= 7; id++) {
                (id % 3 == 0 ? staying : ending).receive(id, 0, 1);
                lab.settle();
            }
            end.of(ending);
            List<Long> left = poll(queue, 10);
            staying.receive(8, 0, 1);
            lab.settle();
            assertThat(poll(queue, 10)).containsExactly(8L);
            return left;
        }
    }

    @Test
    void completionsGoWithTheLifeOfTheirQueuePair() throws VerbsException {
        assertThat(leftAfter(endpoint -> endpoint.qp().modify(QpAttributes.reset())))
                .containsExactly(3L, 6L);
        assertThat(leftAfter(endpoint -> endpoint.qp().close())).containsExactly(3L, 6L);
    }

    @Test
    void softRoceLeavesStaleCompletions() throws VerbsException {
        Long[] all = {1L, 2L, 3L, 4L, 5L, 6L, 7L};
        assertThat(leftAfter(endpoint -> endpoint.qp().modify(QpAttributes.reset()), Quirk.STALE_COMPLETIONS_STAY))
                .containsExactly(all);
        assertThat(leftAfter(endpoint -> endpoint.qp().close(), Quirk.STALE_COMPLETIONS_STAY))
                .containsExactly(all);
    }

    @Test
    void softRoceDoesNotAnnounceErrorsToThoseWhoWaitForSolicitedOnes() throws VerbsException {
        assertThat(announced(Notification.SOLICITED_ONLY, Quirk.ERRORS_UNSOLICITED))
                .isZero();
        assertThat(announced(Notification.NEXT_COMPLETION, Quirk.ERRORS_UNSOLICITED))
                .isEqualTo(1);
        assertThat(announced(Notification.SOLICITED_ONLY)).isEqualTo(1);
    }

    private static int announced(Notification kind, Quirk... quirks) throws VerbsException {
        try (Lab lab = new Lab()) {
            Node node = lab.node(
                    "sim0",
                    "192.0.2.1",
                    profile -> profile.toBuilder().with(quirks).build());
            AtomicInteger calls = new AtomicInteger();
            CompletionQueue queue = node.device()
                    .createCq(CqInitAttributes.builder()
                            .capacity(7)
                            .handler(own -> calls.incrementAndGet())
                            .build());
            queue.requestNotification(kind);
            flushing(node, queue).receive(1, 0, 1);
            lab.settle();
            return calls.get();
        }
    }
}
