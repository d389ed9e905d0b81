// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.O2ibStatistics.ConnectionStatistics;
import dev.verbena.lnd.wire.Checksum;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How nodes meet and part, wherever they are. */
@ParameterizedClass
@MethodSource("environments")
@Tag("udp")
class MeetingTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    /**
     * EHOSTUNREACH or ECONNREFUSED. If the node's own listener is on the device of the address without a listener,
     * kernels reject with another reason, which o2iblnd maps to ECONNREFUSED.
     */
    private static final List<Integer> NOBODY = List.of(-113, -111);

    private final List<LnetEvent> atA = new CopyOnWriteArrayList<>();
    private final List<LnetEvent> atB = new CopyOnWriteArrayList<>();

    @Parameter
    private TestEnvironment environment;

    private Rig rig;

    static Stream<TestEnvironment> environments() {
        return TestEnvironment.all();
    }

    private void run(TestEnvironment.Scenario scenario) throws Exception {
        environment.run(opened -> {
            rig = opened;
            atA.clear();
            atB.clear();
            scenario.run(opened);
        });
    }

    private void await(BooleanSupplier condition) {
        assertThat(rig.await(condition, LONG)).as("at A %s, at B %s", atA, atB).isTrue();
    }

    private void catchAll(LnetNode node) {
        node.attach(
                MatchEntry.on(Rig.PORTAL).matchBits(Rig.BITS).build(),
                MemoryDescriptor.over(rig.memory(1 << 16, 1))
                        .options(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                        .handler(atB::add)
                        .build());
    }

    private void put(LnetNode from, ProcessId to, int length) {
        from.put(Rig.active(rig.memory(length, 2), 1, atA), false, to, Rig.PORTAL, Rig.BITS, 0, 0);
    }

    private int awaitStatus(LnetNode from, ProcessId to, int length) {
        atA.clear();
        put(from, to, length);
        await(() -> !atA.isEmpty());
        return atA.getFirst().status();
    }

    private static int depth(LnetNode node) {
        return node.statistics().connections().getFirst().queueDepth();
    }

    @Test
    void oneConnectionCarriesEverythingBothWays() throws Exception {
        run(lab -> {
            LnetNode a = lab.start(1);
            LnetNode b = lab.start(2);
            catchAll(a);
            catchAll(b);
            assertThat(awaitStatus(a, b.id(), 10)).isZero();
            await(() -> b.statistics().established() == 1);
            for (int i = 0; i < 20; i++) {
                put(a, b.id(), 10);
                put(b, a.id(), 10);
            }
            await(() -> atB.size() == 41);
            assertThat(a.statistics().established()).isEqualTo(1);
            assertThat(b.statistics().established()).isEqualTo(1);
        });
    }

    @Test
    void nodesThatCallEachOtherAtOnceAreConnected() throws Exception {
        run(lab -> {
            LnetNode a = lab.start(1);
            LnetNode b = lab.start(2);
            catchAll(a);
            catchAll(b);
            put(a, b.id(), 10);
            put(b, a.id(), 10);
            await(() -> atB.size() == 2);
            await(() -> a.statistics().connections().size()
                    == b.statistics().connections().size());
        });
    }

    @Test
    void theDeeperQueueIsRefusedOnceAndTheSmallerOneTaken() throws Exception {
        run(lab -> {
            LnetNode a = lab.start(1, lab.tunables().peerCredits(32).build());
            LnetNode b = lab.start(2);
            assertThat(awaitStatus(a, b.id(), 10)).isZero();
            assertThat(b.statistics().rejectsSent().get(RejectReason.MSG_QUEUE_SIZE))
                    .isEqualTo(1);
            assertThat(a.statistics().rejectsReceived().get(RejectReason.MSG_QUEUE_SIZE))
                    .isEqualTo(1);
            await(() -> !b.statistics().connections().isEmpty());
            assertThat(depth(a)).isEqualTo(8);
            assertThat(depth(b)).isEqualTo(8);
        });
    }

    @Test
    void theShallowerQueueIsTakenAtOnce() throws Exception {
        run(lab -> {
            LnetNode a = lab.start(1);
            LnetNode b = lab.start(2, lab.tunables().peerCredits(32).build());
            assertThat(awaitStatus(a, b.id(), 10)).isZero();
            await(() -> !b.statistics().connections().isEmpty());
            assertThat(depth(b)).isEqualTo(8);
            assertThat(b.statistics().rejectsSent().values()).containsOnly(0L);
        });
    }

    @Test
    void aPortWithoutListenerIsRejected() throws Exception {
        run(lab -> {
            LnetNode a = lab.start(1);
            assertThat(awaitStatus(a, ProcessId.of(lab.nidOf(2)), 10)).isIn(NOBODY);
        });
    }

    @Test
    void aNodeThatEndsDisconnects() throws Exception {
        run(lab -> {
            LnetNode a = lab.start(1);
            LnetNode b = lab.start(2);
            assertThat(awaitStatus(a, b.id(), 10)).isZero();
            lab.close(b);
            await(() -> a.statistics().connections().isEmpty());
            assertThat(a.statistics().closedWithError()).isZero();
            assertThat(awaitStatus(a, ProcessId.of(lab.nidOf(2)), 10)).isIn(NOBODY);
            LnetNode again = lab.start(2);
            assertThat(awaitStatus(a, again.id(), 10)).isZero();
        });
    }

    @Test
    void noopsReturnTheCreditsOfOneWayTraffic() throws Exception {
        run(lab -> {
            LnetNode a = lab.start(1);
            LnetNode b = lab.start(2);
            for (int i = 0; i < 40; i++) {
                assertThat(awaitStatus(a, b.id(), 10)).isZero();
            }
            await(() -> b.statistics().sent().get(MessageType.NOOP) == 10);
            assertThat(a.statistics().sent().get(MessageType.NOOP)).isZero();
        });
    }

    @Test
    void severalConnectionsToOnePeerAreUsedInTurn() throws Exception {
        run(lab -> {
            LnetNode a = lab.start(1, lab.tunables().connsPerPeer(4).build());
            LnetNode b = lab.start(2, lab.tunables().peerCreditsHiw(7).build());
            assertThat(awaitStatus(a, b.id(), 10)).isZero();
            await(() -> a.statistics().connections().size() == 4
                    && b.statistics().connections().size() == 4);
            for (int i = 0; i < 8; i++) {
                assertThat(awaitStatus(a, b.id(), 10)).isZero();
            }
            await(() -> b.statistics().connections().stream()
                    .map(ConnectionStatistics::owed)
                    .sorted()
                    .toList()
                    .equals(List.of(2, 2, 2, 3)));
        });
    }

    @ParameterizedTest
    @EnumSource(Checksum.class)
    void messagesMayCarryChecksums(Checksum checksum) throws Exception {
        run(lab -> {
            LnetNode a = lab.start(1, lab.tunables().checksum(checksum).build());
            LnetNode b = lab.start(2);
            catchAll(b);
            for (int length : List.of(0, 1000, 3976, 50_000)) {
                assertThat(awaitStatus(a, b.id(), length)).isZero();
            }
            await(() -> atB.size() == 4);
            assertThat(b.statistics().defects()).isZero();
        });
    }

    /** Closing a node frees all its resources, so that another node may take its place. */
    @Test
    void connectionsThatComeAndGoLeakNoMemory() throws Exception {
        run(lab -> {
            LnetNode a = lab.start(1);
            long free = 0;
            for (int i = 0; i < 4; i++) {
                LnetNode b = lab.start(2);
                assertThat(awaitStatus(a, b.id(), 50_000)).isZero();
                lab.close(b);
                // Transmit descriptors stay with the pool, so the first round counts.
                long before = free;
                await(() -> a.statistics().connections().isEmpty() && isBack(a, before));
                free = a.statistics().freeMemory();
            }
        });
    }

    private static boolean isBack(LnetNode node, long free) {
        return node.statistics().transmitsInUse() == 0
                && DriverParts.daemon(node).isIdle()
                && node.statistics().freeMemory() >= free;
    }
}
