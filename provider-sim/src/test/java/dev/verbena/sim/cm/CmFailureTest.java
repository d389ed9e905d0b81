package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Connection management continues after a send, an action or an owner of a connection threw. */
class CmFailureTest {
    private static final int PORT = 7;
    private static final Gid OWN = Gid.parse("10.0.0.1");
    private static final Gid PEER = Gid.parse("10.0.0.2");

    /** Counts the MADs that are sent, and throws while {@code failing} is set. */
    private static final class FailingOutput implements CmOutput {
        private int sent;
        private boolean failing;
        private long wakeAt = NEVER;

        @Override
        public void send(Gid source, Gid destination, MemorySegment mad) {
            if (failing) {
                throw new OutOfMemoryError("as the test wants it");
            }
            sent++;
        }

        @Override
        public void wakeAt(long nanoTime) {
            wakeAt = nanoTime;
        }
    }

    private final FailingOutput output = new FailingOutput();
    private final CmEngine engine =
            new CmEngine(1, 15, PathMtu.MTU_1024, new SplittableRandom(1), output, new CmCounters());

    /** Runs the alarm, which is then no longer set. */
    private void wake() {
        long due = output.wakeAt;
        output.wakeAt = CmOutput.NEVER;
        engine.onTime(due);
    }

    private void connect(int qpn, CmEndpoint owner) {
        engine.connect(Requests.request(OWN, PEER, PORT, qpn), owner, 0);
    }

    @Test
    void aSendThatThrowsDelaysNoTimerButItsOwn() {
        connect(1, (connection, indication) -> {});
        connect(2, (connection, indication) -> {});
        long due = output.wakeAt;
        output.failing = true;
        assertThatThrownBy(this::wake).isInstanceOf(OutOfMemoryError.class);
        assertThat(output.wakeAt).as("the second REQ is due").isEqualTo(due);

        output.failing = false;
        wake();
        assertThat(output.sent)
                .as("the first tries, and one of two repetitions")
                .isEqualTo(3);
        assertThat(output.wakeAt).isEqualTo(2 * due);
        wake();
        assertThat(output.sent).isEqualTo(5);
    }

    @Test
    void aFirstTryThatThrowsIsRepeated() {
        output.failing = true;
        assertThatThrownBy(() -> connect(1, (connection, indication) -> {})).isInstanceOf(OutOfMemoryError.class);
        assertThat(output.wakeAt).isNotEqualTo(CmOutput.NEVER);

        output.failing = false;
        wake();
        assertThat(output.sent).isEqualTo(1);
    }

    @Test
    void anOwnerThatThrowsStopsNoTimerOfOthers() {
        connect(1, (connection, indication) -> {
            throw new IllegalStateException("as the test wants it");
        });
        connect(2, (connection, indication) -> {});
        int failures = 0;
        while (output.wakeAt != CmOutput.NEVER) {
            try {
                wake();
            } catch (IllegalStateException expected) {
                failures++;
            }
        }
        assertThat(failures).isEqualTo(1);
        assertThat(engine.size()).isZero();
    }

    @Test
    void anActionThatThrowsDelaysNoOther() {
        CmLock lock = new CmLock();
        List<Integer> carriedOut = new ArrayList<>();
        assertThatThrownBy(() -> lock.run(() -> {
                    lock.afterUnlock(() -> carriedOut.add(1));
                    lock.afterUnlock(() -> {
                        throw new IllegalStateException("the second");
                    });
                    lock.afterUnlock(() -> {
                        throw new IllegalArgumentException("the third");
                    });
                    lock.afterUnlock(() -> carriedOut.add(4));
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the second")
                .hasSuppressedException(new IllegalArgumentException("the third"));
        assertThat(carriedOut).containsExactly(1, 4);
    }

    @Test
    void aClosedIdLeavesNoAlarmInTheQueueOfTheRuntime() throws Exception {
        VirtualRuntime time = new VirtualRuntime(5);
        MadWire wire = MadWire.delayed(time);
        SimRuntime runtime = mock(SimRuntime.class, delegatesTo(time));
        CmHost client = new CmHost(runtime, wire, "10.0.0.1");
        CmHost server = new CmHost(time, wire, "10.0.0.2");
        client.cannotReach(server.address);
        Alarm alarm = mock(Alarm.class);
        doReturn(alarm).when(runtime).newAlarm(any());
        ConnectionId id = client.newId(PortSpace.TCP);
        id.resolveAddress(null, server.at(PORT), Duration.ofHours(1));
        id.close();
        verify(alarm).close();
    }
}
