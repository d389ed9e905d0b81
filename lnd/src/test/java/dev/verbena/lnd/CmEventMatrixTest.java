// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.RejectReason;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Row 67: the connection manager may report any event of any connection at any time, and the node keeps working. */
class CmEventMatrixTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final List<CmEventType> TYPES = List.of(CmEventType.values());
    private static final List<Integer> STATUSES = List.of(
            0,
            -110,
            RejectReason.CONSUMER_DEFINED.code(),
            RejectReason.STALE_CONNECTION.code(),
            RejectReason.INVALID_SERVICE_ID.code());

    private final List<LnetEvent> events = new ArrayList<>();
    private int started;

    private void put(Lab lab, LnetNode from, LnetNode to, int length) {
        from.put(Lab.active(lab.memory(length, 1), 1, events), false, to.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        started++;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void anyEventInAnyStateIsTolerated(long seed) throws VerbsException {
        Random random = new Random(seed);
        try (Lab lab = new Lab(seed)) {
            EventInjector injector = new EventInjector(lab.manager());
            LnetNode a = lab.start(
                    injector, 1, O2ibTunables.builder().memory(16L << 20).build());
            LnetNode b = lab.start(2);
            for (int step = 0; step < 60; step++) {
                put(lab, random.nextBoolean() ? a : b, random.nextBoolean() ? a : b, random.nextInt(6000));
                lab.pass(Duration.ofNanos(random.nextInt(40_000)));
                List<ConnectionId> ids = injector.ids();
                ConnectionId id = ids.get(random.nextInt(ids.size()));
                CmEventType type = TYPES.get(random.nextInt(TYPES.size()));
                if (type != CmEventType.CONNECT_REQUEST) {
                    byte[] data = new byte[random.nextInt(3) * 28];
                    random.nextBytes(data);
                    injector.inject(type, id, STATUSES.get(random.nextInt(STATUSES.size())), data);
                }
            }
            assertThat(lab.await(() -> events.size() == started, LONG))
                    .as("seed %d: %d of %d ended; %s", seed, events.size(), started, a.statistics())
                    .isTrue();
            lab.pass(LONG);
            assertThat(a.statistics().transmitsInUse()).isZero();
            events.clear();
            started = 0;
            put(lab, a, b, 5000);
            put(lab, b, a, 5000);
            assertThat(lab.await(() -> events.size() == started, LONG)).isTrue();
            assertThat(events).as("seed %d", seed).allMatch(LnetEvent::isSuccess);
        }
    }

    @Test
    void anEventOfALaterReleaseIsCountedAsIgnored() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            EventInjector injector = new EventInjector(lab.manager());
            LnetNode a = lab.start(
                    injector, 1, O2ibTunables.builder().memory(16L << 20).build());
            LnetNode b = lab.start(2);
            put(lab, a, b, 10);
            assertThat(lab.await(() -> events.size() == started, LONG)).isTrue();
            long before = a.statistics().ignored();

            injector.inject(CmEventType.UNKNOWN, injector.ids().getLast(), 0, new byte[0]);
            lab.pass(Duration.ofSeconds(1));

            assertThat(a.statistics().ignored()).isEqualTo(before + 1);
        }
    }

    /** Section 2.11: a rejection that is the connection manager's own. Only one of a stale connection is worth another try. */
    @ParameterizedTest
    @CsvSource({"10, 0", "8, -113", "4, -111", "28, -111"})
    void aRejectionByTheConnectionManagerIsAnsweredByItsReason(int reason, int status) throws VerbsException {
        try (Lab lab = new Lab(1)) {
            EventInjector injector = new EventInjector(lab.manager());
            LnetNode a = lab.start(
                    injector, 1, O2ibTunables.builder().memory(16L << 20).build());
            LnetNode b = lab.start(2);
            lab.fabric().silence("sim1");
            put(lab, a, b, 10);
            lab.pass(Duration.ofSeconds(1));
            injector.inject(CmEventType.REJECTED, injector.ids().getLast(), reason, new byte[148]);
            lab.fabric().unsilence();
            assertThat(lab.await(() -> !events.isEmpty(), LONG)).isTrue();
            assertThat(events.getFirst().status()).isEqualTo(status);
            assertThat(a.statistics().connections()).hasSize(status == 0 ? 1 : 0);
        }
    }
}
