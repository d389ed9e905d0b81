// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Crew;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Posting, polling, modifying and closing at the same moment, from several threads, repeatedly. */
class RacesTest {
    private static final int ROUNDS = 150;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final QpCapabilities SIZES = QpCapabilities.of(63, 63);

    private final Lab lab = new Lab(new ThreadRuntime(1));
    private Node left;
    private Node right;

    @BeforeEach
    void prepare() throws VerbsException {
        left = lab.node("sim0", "192.0.2.1");
        right = lab.node("sim1", "192.0.2.2");
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private Endpoint[] pair() throws VerbsException {
        Endpoint[] ends = {left.endpoint(SIZES), right.endpoint(SIZES)};
        ends[0].connect(ends[1], Connection.USUAL);
        return ends;
    }

    private static void close(Endpoint end) throws VerbsException {
        end.qp().close();
        end.qp().sendCq().close();
        end.qp().receiveCq().close();
    }

    private static int drain(CompletionQueue queue) {
        WorkCompletions batch = queue.newCompletions(16);
        return queue.poll(batch);
    }

    /** Posts signaled SENDs until one is refused; returns the number of accepted ones. */
    private static int sendUntilRefused(Endpoint end) {
        SendRequests request = end.qp().newSendRequests(1);
        int taken = 0;
        while (taken < 60) {
            request.get(0).send().signaled();
            if (end.qp().postSend(request, 1) == 0) {
                break;
            }
            taken++;
        }
        return taken;
    }

    private static int receiveUntilRefused(Endpoint end) {
        ReceiveRequests request = end.qp().newReceiveRequests(1);
        int taken = 0;
        while (taken < 30 && end.qp().postReceive(request, 1) == 1) {
            taken++;
        }
        return taken;
    }

    @Test
    void requestsPostedWhileAQueuePairFailsComplete() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Endpoint[] ends = pair();
            AtomicInteger sends = new AtomicInteger();
            AtomicInteger receives = new AtomicInteger();
            Crew crew = new Crew();
            crew.add(() -> sends.addAndGet(sendUntilRefused(ends[0])));
            crew.add(2, thread -> receives.addAndGet(receiveUntilRefused(ends[0])));
            crew.add(1, thread -> ends[0].fail());
            crew.run();
            assertThat(lab.until(() -> sends.addAndGet(-drain(ends[0].qp().sendCq())) == 0, PATIENCE))
                    .as("round %d: %s sends are missing", round, sends)
                    .isTrue();
            assertThat(lab.until(() -> receives.addAndGet(-drain(ends[0].qp().receiveCq())) == 0, PATIENCE))
                    .as("round %d: %s receives are missing", round, receives)
                    .isTrue();
            close(ends[0]);
            close(ends[1]);
        }
    }

    @Test
    void requestsPostedWhileAQueuePairIsResetAreDropped() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Endpoint[] ends = pair();
            Crew crew = new Crew();
            crew.add(2, thread -> sendUntilRefused(ends[0]));
            crew.add(2, thread -> receiveUntilRefused(ends[0]));
            crew.add(1, thread -> ends[0].qp().modify(QpAttributes.reset()));
            crew.run();
            while (drain(ends[0].qp().sendCq()) > 0) {
                // From before the reset.
            }
            // A stale entry would be flushed now.
            ends[0].qp().modify(Connection.USUAL.toInit());
            ends[0].receive(7, 0, 1);
            ends[0].fail();
            assertThat(lab.until(() -> drain(ends[0].qp().receiveCq()) == 1, PATIENCE))
                    .as("round %d", round)
                    .isTrue();
            assertThat(drain(ends[0].qp().sendCq())).as("round %d", round).isZero();
            assertThat(ends[0].qp().query().state()).isEqualTo(QpState.ERR);
            close(ends[0]);
            close(ends[1]);
        }
    }

    @Test
    void aModifyDoesNotBringAFailedQueuePairBackToLife() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Endpoint[] ends = pair();
            AtomicBoolean ended = new AtomicBoolean();
            Crew crew = new Crew();
            crew.add(1, thread -> {
                QpAttributes harmless =
                        QpAttributes.builder().minRnrTimer(RnrTimer.ofCode(5)).build();
                try {
                    for (int i = 0; i < 200; i++) {
                        ends[1].qp().modify(harmless);
                    }
                } catch (VerbsException failedMeanwhile) {
                    ended.set(true);
                }
            });
            // The peer's queue pair refuses it, and fails.
            crew.add(1, thread -> ends[0].post(wr -> wr.rdmaWrite(0, 0xBAD).sge(left.region(), 0, 1)));
            crew.run();
            assertThat(lab.until(() -> ends[1].state() == QpState.ERR, PATIENCE))
                    .as("round %d, refused %s: %s", round, ended, ends[1].state())
                    .isTrue();
            close(ends[0]);
            close(ends[1]);
        }
    }

    @Test
    void aQueuePairMayBeClosedUnderTraffic() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Endpoint[] ends = pair();
            Crew crew = new Crew();
            for (Endpoint end : ends) {
                crew.add(1, thread -> receiveUntilRefused(end));
                crew.add(1, thread -> sendUntilRefused(end));
            }
            crew.add(2, thread -> ends[1].qp().close());
            crew.run();
            assertThat(ends[1].send(1, 0, 1)).isEqualTo(PostRefusal.CLOSED);
            drain(ends[1].qp().sendCq());
            close(ends[1]);
            close(ends[0]);
        }
        left.region().close();
        left.domain().close();
    }

    @Test
    void aRegionThatIsClosedUnderTrafficIsNeverTouchedAgain() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Endpoint[] ends = pair();
            VerbsArena arena = right.device().newArena();
            MemorySegment memory = arena.allocate(1 << 16);
            MemoryRegion region =
                    right.domain().registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            left.fill(0, 1 << 16, 1);
            Crew crew = new Crew();
            crew.add(2, thread -> writeUntilRefused(ends[0], region));
            crew.add(1, thread -> {
                region.close();
                // From here on the memory is the program's own, and may be freed.
                memory.fill((byte) 0);
                for (int look = 0; look < 100; look++) {
                    assertThat(memory.get(ValueLayout.JAVA_BYTE, look * 600L)).isZero();
                }
                arena.close();
            });
            crew.run();
            close(ends[0]);
            close(ends[1]);
        }
    }

    private void writeUntilRefused(Endpoint end, MemoryRegion target) {
        SendRequests request = end.qp().newSendRequests(1);
        int posted = 0;
        do {
            request.get(0).rdmaWrite(target.address(), target.rkey()).sge(left.region(), 0, 1 << 16);
        } while (end.qp().postSend(request, 1) == 1 && ++posted < 50);
    }
}
