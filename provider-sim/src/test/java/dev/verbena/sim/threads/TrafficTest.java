// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Crew;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two devices in wall time with queue pairs that several threads post to at the same time, in both directions. */
class TrafficTest {
    private static final int THREADS = 3;
    private static final int MESSAGES = 1500;
    private static final int HEADER = 8;
    private static final int LONGEST = 3000;
    private static final int SLOTS = 31;
    private static final int SLOT = 4096;
    private static final int TARGET = SLOTS * SLOT;
    private static final int SOURCE = TARGET + THREADS * MESSAGES * HEADER;
    private static final int TAIL = SOURCE + THREADS * MESSAGES * HEADER;
    private static final Duration PATIENCE = Duration.ofSeconds(50);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private final Lab lab = new Lab(new ThreadRuntime(1));
    private final Endpoint[] ends = new Endpoint[2];

    @BeforeEach
    void connect() throws VerbsException {
        for (int side = 0; side < 2; side++) {
            Node node = lab.node("sim" + side, "192.0.2." + (side + 1));
            // Posting threads do not wait for polling ones.
            ends[side] =
                    node.endpoint(new QpCapabilities(31, SLOTS, 2, 1, 0), node.newCq(THREADS * MESSAGES), node.newCq());
            prepare(node.memory());
        }
        ends[0].connect(
                ends[1],
                Connection.USUAL
                        .mtu(PathMtu.MTU_1024)
                        .timeout(AckTimeout.ofCode(16), 7)
                        .rnr(RnrRetryCount.FOREVER, RnrTimer.ofCode(1)));
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    /** Every message begins with its thread and number, followed by the same bytes. */
    private static void prepare(MemorySegment memory) {
        for (int thread = 0; thread < THREADS; thread++) {
            for (int number = 0; number < MESSAGES; number++) {
                memory.set(INT, source(thread, number), thread);
                memory.set(INT, source(thread, number) + 4L, number);
            }
        }
        for (int i = 0; i < LONGEST; i++) {
            memory.set(ValueLayout.JAVA_BYTE, TAIL + i, (byte) i);
        }
    }

    private static int source(int thread, int number) {
        return SOURCE + (thread * MESSAGES + number) * HEADER;
    }

    private static int tailLength(int number) {
        return number * 37 % (LONGEST - HEADER);
    }

    @Test
    void everyMessageArrivesOnceAndInTheOrderOfItsThread() throws InterruptedException {
        Crew crew = new Crew();
        for (Endpoint end : ends) {
            crew.add(THREADS, thread -> sendAll(end, thread));
            crew.add(1, number -> receiveAll(end));
        }
        crew.run();
        for (Endpoint end : ends) {
            assertThat(end.sends()).isEmpty();
        }
    }

    private void sendAll(Endpoint end, int thread) {
        SendRequests request = end.qp().newSendRequests(1);
        for (int number = 0; number < MESSAGES; number++) {
            SendWorkRequest send = request.get(0).send();
            send.sge(end.node().region(), source(thread, number), HEADER);
            send.sge(end.node().region(), TAIL, tailLength(number));
            assertThat(lab.until(() -> end.qp().postSend(request, 1) == 1, PATIENCE))
                    .as("message %d of thread %d was posted", number, thread)
                    .isTrue();
        }
    }

    private void receiveAll(Endpoint end) {
        int[] next = new int[THREADS];
        for (int slot = 0; slot < SLOTS; slot++) {
            end.receive(slot, (long) slot * SLOT, SLOT);
        }
        WorkCompletions batch = end.qp().receiveCq().newCompletions(8);
        for (int received = 0; received < THREADS * MESSAGES; received += batch.count()) {
            assertThat(lab.until(() -> end.qp().receiveCq().poll(batch) > 0, PATIENCE))
                    .as("message after %d", received)
                    .isTrue();
            for (int i = 0; i < batch.count(); i++) {
                check(end.node().memory(), batch.get(i), next);
                end.receive(batch.get(i).workRequestId(), batch.get(i).workRequestId() * SLOT, SLOT);
            }
        }
    }

    private static void check(MemorySegment memory, WorkCompletion completion, int[] next) {
        long at = completion.workRequestId() * SLOT;
        int thread = memory.get(INT, at);
        int number = memory.get(INT, at + 4);
        assertThat(completion.isSuccess()).isTrue();
        assertThat(number).as("message of thread %d", thread).isEqualTo(next[thread]++);
        assertThat(completion.byteLength()).isEqualTo(HEADER + tailLength(number));
        long length = completion.byteLength() - HEADER;
        assertThat(memory.asSlice(at + HEADER, length).mismatch(memory.asSlice(TAIL, length)))
                .isEqualTo(-1);
    }

    @Test
    void everyWriteArrivesAndCompletesOnceWhileSeveralThreadsPoll() throws InterruptedException {
        AtomicInteger completed = new AtomicInteger();
        Crew crew = new Crew();
        for (int side = 0; side < 2; side++) {
            Endpoint end = ends[side];
            Endpoint peer = ends[1 - side];
            crew.add(THREADS, thread -> writeAll(end, peer, thread));
            crew.add(2, number -> pollUntilAllCompleted(end, completed));
        }
        crew.run();
        assertThat(completed).hasValue(2 * THREADS * MESSAGES);
        for (Endpoint end : ends) {
            MemorySegment memory = end.node().memory();
            long bytes = THREADS * MESSAGES * HEADER;
            assertThat(memory.asSlice(TARGET, bytes).mismatch(memory.asSlice(SOURCE, bytes)))
                    .isEqualTo(-1);
        }
    }

    private void writeAll(Endpoint end, Endpoint peer, int thread) {
        SendRequests request = end.qp().newSendRequests(1);
        for (int number = 0; number < MESSAGES; number++) {
            long offset = source(thread, number);
            request.get(0)
                    .rdmaWrite(
                            peer.node().region().address() + offset - SOURCE + TARGET,
                            peer.node().region().rkey())
                    .signaled()
                    .sge(end.node().region(), offset, HEADER);
            assertThat(lab.until(() -> end.qp().postSend(request, 1) == 1, PATIENCE))
                    .isTrue();
        }
    }

    private void pollUntilAllCompleted(Endpoint end, AtomicInteger completed) {
        WorkCompletions batch = end.qp().sendCq().newCompletions(5);
        boolean done = lab.until(
                () -> {
                    int count = end.qp().sendCq().poll(batch);
                    for (int i = 0; i < count; i++) {
                        assertThat(batch.get(i).status()).isEqualTo(WorkCompletionStatus.SUCCESS);
                    }
                    return completed.addAndGet(count) == 2 * THREADS * MESSAGES;
                },
                PATIENCE);
        assertThat(done).isTrue();
    }
}
