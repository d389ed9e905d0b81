// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MdOption;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes that run out of registered memory, and users that close their memory too early: only the operation fails. */
class MemoryFailureTest {

    private static final Duration SOON = Duration.ofSeconds(5);
    private static final int LARGE = 500_000;

    private final List<LnetEvent> atA = new ArrayList<>();
    private final List<LnetEvent> atB = new ArrayList<>();
    private Lab lab;
    private LnetNode a;
    private LnetNode b;
    private MemorySegment hoard;

    @BeforeEach
    void start() throws VerbsException {
        lab = new Lab(1);
        O2ibTunables small = O2ibTunables.builder().memory(4L << 20).build();
        a = lab.start(1, small);
        b = lab.start(2, small);
    }

    @AfterEach
    void stop() throws VerbsException {
        lab.close();
    }

    /** Leaves a node enough for messages but not for a large transfer. */
    private void exhaust(LnetNode node) throws VerbsException {
        hoard = node.allocate((4L << 20) - LARGE / 2);
    }

    private void put() {
        a.put(Lab.active(lab.memory(LARGE, 1), 1, atA), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> !atA.isEmpty(), SOON)).isTrue();
    }

    private void get() {
        a.get(Lab.active(lab.memory(LARGE, 1), 2, atA), b.id(), Lab.PORTAL, Lab.BITS, 0);
        assertThat(lab.await(() -> !atA.isEmpty(), SOON)).isTrue();
        lab.pass(Duration.ofMillis(10));
    }

    private void assertNothingElseSuffered() {
        lab.pass(Duration.ofMillis(10));
        for (LnetNode node : List.of(a, b)) {
            assertThat(node.statistics().closedWithError()).isZero();
            assertThat(node.statistics().transmitsInUse()).isZero();
        }
    }

    @Test
    void aSinkWithoutMemoryRefusesThePutAndBothSidesHearOfIt() throws VerbsException {
        exhaust(b);
        Lab.serve(b, lab.memory(LARGE, 2), atB, MdOption.OP_PUT);
        put();
        assertThat(b.statistics().sent().get(MessageType.PUT_NAK)).isEqualTo(1);
        assertThat(atA.getFirst().status()).isEqualTo(-12);
        assertThat(atB.getFirst().status()).isEqualTo(-12);
        assertNothingElseSuffered();
        b.free(hoard);
        atA.clear();
        atB.clear();
        Lab.serve(b, lab.memory(LARGE, 2), atB, MdOption.OP_PUT);
        put();
        assertThat(atA.getFirst().status()).isZero();
        assertThat(lab.await(() -> !atB.isEmpty(), SOON)).isTrue();
        assertThat(atB.getFirst().status()).isZero();
    }

    @Test
    void aSourceWithoutMemoryRefusesTheGetAndBothSidesHearOfIt() throws VerbsException {
        exhaust(b);
        Lab.serve(b, lab.memory(LARGE, 2), atB, MdOption.OP_GET);
        get();
        assertThat(atA).hasSize(2).allMatch(event -> event.status() == -12);
        assertThat(atB.getFirst().status()).isEqualTo(-12);
        assertNothingElseSuffered();
    }

    @Test
    void anInitiatorWithoutMemoryFailsAtOnce() throws VerbsException {
        exhaust(a);
        put();
        assertThat(atA.getFirst().status()).isEqualTo(-12);
        atA.clear();
        get();
        // As no REPLY can come, the descriptor keeps its second operation until it is unlinked.
        assertThat(atA).hasSize(1).allMatch(event -> event.status() == -12 && !event.unlinked());
        assertThat(a.statistics().established()).isZero();
        assertNothingElseSuffered();
    }

    @Test
    void memoryOfTheRegionNeedsNoMore() throws VerbsException {
        MemorySegment target = b.allocate(LARGE);
        hoard = b.allocate((4L << 20) - 3L * LARGE / 2);
        Lab.serve(b, target, atB, MdOption.OP_PUT);
        put();
        assertThat(atA.getFirst().status()).isZero();
    }

    @Test
    void memoryThatItsUserClosedFailsTheOperation() {
        for (int length : new int[] {100, LARGE}) {
            atA.clear();
            atB.clear();
            try (Arena arena = Arena.ofShared()) {
                Lab.serve(b, arena.allocate(length), atB, MdOption.OP_PUT);
            }
            a.put(Lab.active(lab.memory(length, 1), 1, atA), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
            assertThat(lab.await(() -> !atA.isEmpty() && !atB.isEmpty(), SOON)).isTrue();
            assertThat(atB.getFirst().status()).isEqualTo(-14);
            assertNothingElseSuffered();
        }
    }
}
