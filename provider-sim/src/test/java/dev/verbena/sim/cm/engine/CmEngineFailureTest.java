// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The engine continues after a send or an owner of a connection threw. */
class CmEngineFailureTest {
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
    void anOwnerThatThrowsStopsNoOtherTimer() {
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
}
