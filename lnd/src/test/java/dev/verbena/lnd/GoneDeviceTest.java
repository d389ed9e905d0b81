// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MdOption;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes whose device refuses to destroy objects. */
class GoneDeviceTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    private static void connectAndClose(Lab lab, LnetNode from, LnetNode to) {
        List<LnetEvent> events = new ArrayList<>();
        from.put(Lab.active(lab.memory(8, 1), 1, events), false, to.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> !events.isEmpty(), SOON)).isTrue();
        synchronized (DriverParts.lock(from)) {
            DriverParts.allPeers(from)
                    .forEach(peer -> List.copyOf(peer.connections()).forEach(connection -> connection.close(0)));
        }
        lab.pass(SOON);
    }

    private static long free(LnetNode node) {
        synchronized (DriverParts.lock(node)) {
            return node.ni().memory().freeBytes();
        }
    }

    @Test
    void connectionsOfADeviceThatIsGoneEndAndGiveTheirBuffersBack() throws VerbsException {
        Lab lab = new Lab(1);
        lab.failing(FaultyCall.QUEUE_PAIR_CLOSE, Integer.MAX_VALUE, Errno.EIO);
        LnetNode a = lab.start(1);
        LnetNode b = lab.start(2);
        connectAndClose(lab, a, b);
        long free = free(a);

        connectAndClose(lab, a, b);

        assertThat(free(a)).isEqualTo(free);
        synchronized (DriverParts.lock(a)) {
            assertThat(DriverParts.daemon(a).isIdle()).isTrue();
        }
        long start = lab.runtime().nanoTime();
        // The queue pairs of this device are still there, as only their closing fails: so the channel refuses to go.
        assertThat(catchThrowableOfType(VerbsException.class, a::close)).hasMessageContaining("EBUSY");
        assertThat(lab.runtime().nanoTime() - start)
                .isLessThan(Duration.ofSeconds(1).toNanos());
    }

    @ParameterizedTest
    @CsvSource({"MEMORY_WINDOW, MEMORY_WINDOW_CLOSE", "REGION_CACHE, MEMORY_REGION_CLOSE"})
    void aRegistrationThatTheDeviceRefusesToEndIsEndedWithTheNode(RegistrationKind kind, FaultyCall call)
            throws VerbsException {
        // The lab finds objects that are still open when it is closed.
        try (Lab lab = new Lab(1)) {
            lab.registering(RegistrationTunables.defaults().withKind(kind)).failing(call, 1, Errno.EAGAIN);
            LnetNode a = lab.start(1);
            LnetNode b = lab.start(2);
            List<LnetEvent> events = new ArrayList<>();
            Lab.serve(b, lab.memory(10_000, 1), events, MdOption.OP_PUT);
            a.put(Lab.active(lab.memory(10_000, 2), 1, new ArrayList<>()), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
            assertThat(lab.await(() -> !events.isEmpty(), SOON)).isTrue();

            lab.close(b);
        }
    }

    @Test
    void aPutWhoseSinkGetsNoWindowFailsAtOnceAndItsConnectionLives() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            lab.registering(RegistrationTunables.defaults().withKind(RegistrationKind.MEMORY_WINDOW))
                    .failing(FaultyCall.PROTECTION_DOMAIN_ALLOCATE_MW, 1, Errno.ENOMEM);
            LnetNode a = lab.start(1);
            LnetNode b = lab.start(2);
            List<LnetEvent> sent = new ArrayList<>();
            List<LnetEvent> received = new ArrayList<>();
            Lab.serve(b, lab.memory(10_000, 1), received, MdOption.OP_PUT);
            a.put(Lab.active(lab.memory(10_000, 2), 1, sent), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);

            assertThat(lab.await(() -> !sent.isEmpty() && !received.isEmpty(), Duration.ofSeconds(1)))
                    .isTrue();
            assertThat(sent.getFirst().status()).isEqualTo(-12);
            assertThat(received.getFirst().status()).isEqualTo(-12);
            assertThat(a.statistics().closedWithError()).isZero();
        }
    }

    @Test
    void aCloseOfTheNodeReportsTheObjectThatTheDeviceRefusesToDestroy() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            lab.failing(FaultyCall.QUEUE_PAIR_CLOSE, 1, Errno.EAGAIN);
            LnetNode a = lab.start(1);
            LnetNode b = lab.start(2);
            List<LnetEvent> events = new ArrayList<>();
            a.put(Lab.active(lab.memory(8, 1), 1, events), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
            assertThat(lab.await(() -> !events.isEmpty(), SOON)).isTrue();

            assertThat(catchThrowableOfType(VerbsException.class, () -> a.close(Duration.ZERO))
                            .errno())
                    .isEqualTo(Errno.EAGAIN);
            a.close();
        }
    }

    @Test
    void aCloseOfTheNodeThatFailsCanBeTriedAgain() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            lab.failing(FaultyCall.PROTECTION_DOMAIN_CLOSE, 1, Errno.EBUSY);
            LnetNode a = lab.start(1);
            assertThat(catchThrowableOfType(VerbsException.class, a::close).errno())
                    .isEqualTo(Errno.EBUSY);

            a.close();

            // Nothing of the domain is left: the device can be closed.
            assertThatCode(a.ni().device()::close).doesNotThrowAnyException();
        }
    }
}
