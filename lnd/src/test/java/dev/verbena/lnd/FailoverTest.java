// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Row 65: the device of a running node is removed, and another one gets its address. */
class FailoverTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int LARGE = 50_000;

    private final List<LnetEvent> sent = new ArrayList<>();
    private final List<LnetEvent> arrived = new ArrayList<>();

    private void take(Lab lab, LnetNode node) {
        node.attach(
                MatchEntry.on(Lab.PORTAL).matchBits(Lab.BITS).build(),
                MemoryDescriptor.over(lab.memory(1 << 16, 1))
                        .options(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                        .handler(arrived::add)
                        .build());
    }

    private void put(LnetNode from, LnetNode to, MemorySegment memory) {
        from.put(Lab.active(memory, 1, sent), false, to.id(), Lab.PORTAL, Lab.BITS, 0, 0);
    }

    private int status(Lab lab, LnetNode from, LnetNode to, MemorySegment memory) {
        sent.clear();
        put(from, to, memory);
        assertThat(lab.await(() -> !sent.isEmpty(), LONG)).isTrue();
        return sent.getFirst().status();
    }

    /** Connections, listener, pools and memory are made again over the new device, whichever way memory is registered. */
    @ParameterizedTest
    @EnumSource(RegistrationKind.class)
    void aNodeMovesToTheDeviceThatHasItsAddress(RegistrationKind kind) throws VerbsException {
        try (Lab lab = new Lab(1).registering(RegistrationTunables.defaults().withKind(kind))) {
            LnetNode a = lab.start(1, lab.tunables().failover(true).build());
            LnetNode b = lab.start(2);
            take(lab, a);
            take(lab, b);
            MemorySegment before = a.allocate(LARGE);
            assertThat(status(lab, a, b, before)).isZero();
            lab.provider().unplug("sim0");
            assertThat(lab.await(() -> !a.isUp(), LONG)).isTrue();
            assertThat(status(lab, a, b, before)).as("there is no device").isEqualTo(-113);
            lab.pass(Duration.ofMinutes(1));
            assertThat(a.isUp()).isFalse();
            assertThat(a.statistics().connections()).isEmpty();
            assertThat(a.statistics().registration().objects()).as("given back").isZero();
            lab.provider().plug(SimDeviceSpec.of("spare", "10.0.0.1"));
            assertThat(lab.await(a::isUp, Duration.ofSeconds(11))).isTrue();
            assertThat(a.ni().device().name()).isEqualTo("spare");
            lab.await(() -> b.statistics().connections().isEmpty(), LONG);
            assertThat(status(lab, a, b, before)).as("memory of before").isZero();
            assertThat(status(lab, a, b, a.allocate(LARGE))).isZero();
            assertThat(status(lab, b, a, lab.memory(LARGE, 3))).isZero();
            assertThat(arrived).hasSize(4).allMatch(LnetEvent::isSuccess);
            a.free(before);
        }
    }

    /** As the kernel module by default: the interface is down, and stays so. */
    @Test
    void aNodeThatIsNotToMoveStaysDown() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            LnetNode a = lab.start(1);
            LnetNode b = lab.start(2);
            take(lab, b);
            assertThat(status(lab, a, b, lab.memory(LARGE, 1))).isZero();
            lab.provider().unplug("sim0");
            lab.provider().plug(SimDeviceSpec.of("spare", "10.0.0.1"));
            lab.pass(Duration.ofMinutes(1));
            assertThat(a.isUp()).isFalse();
            assertThat(status(lab, a, b, lab.memory(10, 1))).isEqualTo(-113);
        }
    }

    /** At any moment of traffic both ways, again and again: every operation ends once, and then everything works. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyMessageInFlightEndsOnce(long seed) throws VerbsException {
        Random random = new Random(seed);
        try (Lab lab = new Lab(seed)) {
            LnetNode a = lab.start(
                    1,
                    lab.tunables()
                            .failover(true)
                            .connsPerPeer(1 + random.nextInt(2))
                            .partitions(1 + random.nextInt(2), 1)
                            .build());
            LnetNode b = lab.start(2);
            take(lab, a);
            take(lab, b);
            int started = 0;
            String device = "sim0";
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < 20; i++) {
                    boolean fromA = random.nextBoolean();
                    MemorySegment memory = lab.memory(random.nextInt(LARGE), i);
                    if (random.nextBoolean()) {
                        put(fromA ? a : b, fromA ? b : a, memory);
                        started++;
                    } else {
                        (fromA ? a : b).get(Lab.active(memory, 2, sent), (fromA ? b : a).id(), Lab.PORTAL, Lab.BITS, 0);
                        started++;
                    }
                    lab.pass(Duration.ofNanos(random.nextInt(100_000)));
                }
                lab.provider().unplug(device);
                device = "spare" + round;
                lab.pass(Duration.ofMillis(random.nextInt(3000)));
                lab.provider().plug(SimDeviceSpec.of(device, "10.0.0.1"));
                lab.pass(Duration.ofMillis(random.nextInt(3000)));
            }
            lab.pass(LONG);
            assertThat(sent.stream().filter(event -> event.type() == LnetEventType.SEND))
                    .as("seed %d", seed)
                    .hasSize(started);
            assertThat(a.isUp()).isTrue();
            assertThat(a.lnd().failover().done()).isBetween(1L, 4L);
            for (LnetNode node : List.of(a, b)) {
                assertThat(node.statistics().transmitsInUse())
                        .as("seed %d", seed)
                        .isZero();
                assertThat(node.statistics().registration().inUse()).isZero();
            }
            assertThat(status(lab, a, b, lab.memory(LARGE, 1))).isZero();
            assertThat(status(lab, b, a, lab.memory(LARGE, 1))).isZero();
        }
    }

    @Test
    void aNodeMayBeClosedWhileItHasNoDevice() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            LnetNode a = lab.start(1, lab.tunables().failover(true).build());
            lab.provider().unplug("sim0");
            lab.pass(Duration.ofSeconds(5));
            assertThatCode(() -> lab.close(a)).doesNotThrowAnyException();
        }
    }
}
