// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How connections come up, are refused, race, fail and end. */
class ConnectionsTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<LnetEvent> atA = new ArrayList<>();
    private final List<LnetEvent> atB = new ArrayList<>();
    private Lab lab;

    @BeforeEach
    void start() throws VerbsException {
        lab = new Lab(3);
    }

    @AfterEach
    void stop() throws VerbsException {
        lab.close();
    }

    private static O2ibTunables.Builder tunables() {
        return O2ibTunables.builder().memory(16L << 20);
    }

    private static void catchAll(LnetNode node, List<LnetEvent> events, Lab lab) {
        node.attach(
                MatchEntry.on(Lab.PORTAL).matchBits(Lab.BITS).build(),
                MemoryDescriptor.over(lab.memory(1 << 16, 1))
                        .options(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                        .handler(events::add)
                        .build());
    }

    private void put(LnetNode from, ProcessId to, int length) {
        from.put(Lab.active(lab.memory(length, 2), 1, atA), false, to, Lab.PORTAL, Lab.BITS, 0, 0);
    }

    private int awaitStatus(LnetNode from, ProcessId to, int length) {
        atA.clear();
        put(from, to, length);
        assertThat(lab.await(() -> !atA.isEmpty(), LONG)).isTrue();
        return atA.getFirst().status();
    }

    @ParameterizedTest
    @EnumSource(TieBreak.class)
    void whenBothConnectAtOnceTheHigherRankWins(TieBreak rule) throws VerbsException {
        LnetNode a = lab.start(1, tunables().tieBreak(rule).build());
        LnetNode b = lab.start(2, tunables().tieBreak(rule).build());
        catchAll(a, atB, lab);
        catchAll(b, atB, lab);
        put(a, b.id(), 10);
        put(b, a.id(), 10);
        assertThat(lab.await(() -> atB.size() == 2, LONG)).isTrue();
        assertThat(b.statistics().rejectsSent().get(RejectReason.CONN_RACE)).isEqualTo(1);
        assertThat(a.statistics().rejectsReceived().get(RejectReason.CONN_RACE)).isEqualTo(1);
        assertThat(a.statistics().connections()).hasSize(1);
        assertThat(b.statistics().connections()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"NIDHASH, NUMERIC", "NUMERIC, NIDHASH"})
    void nodesThatDisagreeAboutTheirRanksGetConnectedAllTheSame(TieBreak left, TieBreak right) throws VerbsException {
        // By one rule 10.0.0.2 ranks higher, by the other 10.0.1.1: both think they win, or both that they lose.
        LnetNode a = lab.start(2, tunables().tieBreak(left).build());
        LnetNode b = lab.start(257, tunables().tieBreak(right).build());
        catchAll(a, atB, lab);
        catchAll(b, atB, lab);
        for (int i = 0; i < 30; i++) {
            put(a, b.id(), 10);
            put(b, a.id(), 10);
        }
        assertThat(lab.await(() -> atB.size() == 60, LONG)).isTrue();
        long races = a.statistics().rejectsSent().get(RejectReason.CONN_RACE);
        assertThat(races).isLessThanOrEqualTo(20);
        assertThat(a.statistics().connections())
                .hasSize(b.statistics().connections().size());
    }

    @Test
    void aRestartedPeerLearnsThatItsOldConnectionsAreStale() throws VerbsException {
        LnetNode a = lab.start(1);
        LnetNode b = lab.start(2);
        assertThat(awaitStatus(a, b.id(), 10)).isZero();
        lab.fabric().silence("sim1");
        lab.close(b);
        lab.fabric().unsilence();
        assertThat(a.statistics().connections()).hasSize(1);
        LnetNode again = lab.start(2);
        catchAll(a, atB, lab);
        assertThat(awaitStatus(again, a.id(), 10)).isZero();
        assertThat(a.statistics().rejectsSent().get(RejectReason.CONN_STALE)).isEqualTo(1);
        assertThat(lab.await(() -> a.statistics().connections().size() == 1, LONG))
                .isTrue();
        assertThat(a.statistics().closedWithError()).isEqualTo(1);
        assertThat(atB).hasSize(1);
    }

    @Test
    void aMissingPeerIsReported() throws VerbsException {
        LnetNode a = lab.start(1);
        assertThat(awaitStatus(a, ProcessId.of(Nid.parse("10.0.0.77@o2ib")), 5000))
                .isEqualTo(-113);
    }

    @Test
    void anUnansweredConnectIsGivenUpInTime() throws VerbsException {
        LnetNode a = lab.start(1);
        LnetNode b = lab.start(2);
        lab.fabric().silence("sim1");
        long before = lab.runtime().nanoTime();
        assertThat(awaitStatus(a, b.id(), 10)).isEqualTo(-100);
        assertThat(Duration.ofNanos(lab.runtime().nanoTime() - before))
                .isBetween(Duration.ofMillis(12_500), Duration.ofMillis(26_500));
        lab.fabric().unsilence();
        assertThat(awaitStatus(a, b.id(), 10)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"10", "100000"})
    void aPeerThatFallsSilentFailsTheMessagesInFlight(int length) throws VerbsException {
        LnetNode a = lab.start(1);
        LnetNode b = lab.start(2);
        assertThat(awaitStatus(a, b.id(), 10)).isZero();
        lab.fabric().silence("sim1");
        assertThat(awaitStatus(a, b.id(), length)).isEqualTo(-5);
        assertThat(lab.await(() -> a.statistics().connections().isEmpty(), LONG))
                .isTrue();
        lab.fabric().unsilence();
        lab.pass(Duration.ofMinutes(2));
        assertThat(awaitStatus(a, b.id(), length)).isZero();
    }

    @Test
    void anIdleConnectionIsKeptAlive() throws VerbsException {
        LnetNode a = lab.start(1, tunables().keepalive(Duration.ofSeconds(4)).build());
        LnetNode b = lab.start(2);
        assertThat(awaitStatus(a, b.id(), 10)).isZero();
        assertThat(untilNextNoop(a)).isLessThan(Duration.ofSeconds(18));
        for (int i = 0; i < 3; i++) {
            assertThat(untilNextNoop(a))
                    .as("about as long as between real nodes")
                    .isBetween(Duration.ofSeconds(12), Duration.ofSeconds(13));
        }
        assertThat(b.statistics().sent().get(MessageType.NOOP)).isZero();
    }

    private Duration untilNextNoop(LnetNode node) {
        long noops = node.statistics().sent().get(MessageType.NOOP);
        long before = lab.runtime().nanoTime();
        assertThat(lab.await(() -> node.statistics().sent().get(MessageType.NOOP) > noops, LONG))
                .isTrue();
        return Duration.ofNanos(lab.runtime().nanoTime() - before);
    }

    /** Every peer has its turn four times within the timeout, or each second where that is short. */
    @ParameterizedTest
    @CsvSource({"1, 1", "4, 1", "5, 2", "50, 13", "49, 13", "500, 128", "5000, 128"})
    void peersAreLookedAtInTurns(int timeout, int round) {
        BucketScan scan = new BucketScan(Duration.ofSeconds(timeout));
        for (int host = 1; host < 1000; host += 7) {
            int turns = 0;
            int longest = 0;
            int since = 0;
            for (int second = 0; second < 1000; second++) {
                since++;
                if (scan.isDue(Lab.nid(host))) {
                    longest = Math.max(longest, turns == 0 ? 0 : since);
                    since = 0;
                    turns++;
                }
                scan.next();
            }
            assertThat(longest).as("seconds between turns of host %d", host).isLessThanOrEqualTo(round);
            assertThat(turns).isGreaterThanOrEqualTo(1000 / round);
        }
    }

    @Test
    void aStartThatFailsLeavesNothingOpen() throws VerbsException {
        LnetNode a = lab.start(1);
        assertThatThrownBy(() -> lab.start(1)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> LnetNode.start(lab.manager(), Lab.address(99), Lab.nid(99), O2ibTunables.defaults()))
                .isInstanceOf(VerbsException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LnetNode.start(
                        lab.manager(), Lab.address(2), Nid.parse("10.0.0.2@tcp"), O2ibTunables.defaults()))
                .withMessageContaining("not on an o2ib network");
        lab.close(a);
        lab.start(1);
    }

    @Test
    void aClosedNodeCanBeClosedAgainAndRefusesToSend() throws VerbsException {
        LnetNode a = lab.start(1);
        lab.close(a);
        a.close();
        atA.clear();
        put(a, ProcessId.of(Lab.nid(2)), 10);
        assertThat(a.lnetStatistics().failed()).isEqualTo(1);
    }

    @Test
    void aHandlerMayNotCloseTheNodeItBelongsTo() throws VerbsException {
        LnetNode a = lab.start(1);
        LnetNode b = lab.start(2);
        List<Throwable> thrown = new ArrayList<>();
        a.put(
                MemoryDescriptor.over(lab.memory(1, 1))
                        .threshold(1)
                        .handler(event -> {
                            try {
                                a.close();
                            } catch (VerbsException | IllegalStateException e) {
                                thrown.add(e);
                            }
                        })
                        .build(),
                false,
                b.id(),
                Lab.PORTAL,
                Lab.BITS,
                0,
                0);
        assertThat(lab.await(() -> !thrown.isEmpty(), LONG)).isTrue();
        assertThat(thrown.getFirst()).isInstanceOf(IllegalStateException.class);
        assertThat(awaitStatus(a, b.id(), 10)).isZero();
    }

    @Test
    void memoryOfTheRegionIsGivenAndTakenBack() throws VerbsException {
        LnetNode a = lab.start(1, tunables().memory(4 << 20).build());
        var block = a.allocate(3 << 20);
        assertThatThrownBy(() -> a.allocate(3 << 20))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("raise O2ibTunables.memory");
        a.free(block);
        assertThatIllegalArgumentException().isThrownBy(() -> a.free(block));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.free(lab.memory(10, 1)))
                .withMessageContaining("not allocated from this node");
        assertThat(a.allocate(3 << 20).byteSize()).isEqualTo(3 << 20);
    }

    @Test
    void memoryThatTheApplicationClosedDoesNotHarmTheNode() throws VerbsException {
        LnetNode a = lab.start(1, tunables().memory(4 << 20).build());
        for (int i = 0; i < 10; i++) {
            MemoryDescriptor md;
            try (Arena arena = Arena.ofShared()) {
                md = Lab.active(arena.allocate(1 << 20), 1, atA);
            }
            a.put(md, false, ProcessId.of(Lab.nid(2)), Lab.PORTAL, Lab.BITS, 0, 0);
        }
        assertThat(lab.await(() -> atA.size() == 10, LONG)).isTrue();
        assertThat(atA).allMatch(event -> event.status() == -14);
    }

    @Test
    void impossibleMemoryIsRefused() throws VerbsException {
        LnetNode a = lab.start(1);
        assertThatThrownBy(() -> a.allocate(Integer.MAX_VALUE * 4096L)).isInstanceOf(VerbsException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> a.allocate(-1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tunables().memory(Long.MAX_VALUE).build());
    }

    @Test
    void aNodeMayBeClosedAtAnyMomentOfConnecting() throws VerbsException {
        LnetNode b = lab.start(2);
        for (int step = 0; step < 80; step++) {
            LnetNode a = lab.start(1, tunables().memory(4 << 20).build());
            put(a, b.id(), 10);
            lab.pass(Duration.ofNanos(step * 500L));
            long before = lab.runtime().nanoTime();
            lab.close(a);
            assertThat(Duration.ofNanos(lab.runtime().nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
            assertThat(atA).hasSize(step + 1);
        }
        assertThat(awaitStatus(lab.start(1), b.id(), 10)).isZero();
    }
}
