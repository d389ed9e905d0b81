// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the objects that the connections of a CPU partition share, and those that they do not. */
class PartitionsTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    private final List<LnetEvent> sent = new ArrayList<>();
    private final List<LnetEvent> arrived = new ArrayList<>();
    private Lab lab;

    @BeforeEach
    void start() throws VerbsException {
        lab = new Lab(5);
    }

    @AfterEach
    void stop() throws VerbsException {
        lab.close();
    }

    private void put(LnetNode from, LnetNode to, int length) {
        from.put(Lab.active(lab.memory(length, 2), 1, sent), false, to.id(), Lab.PORTAL, Lab.BITS, 0, 0);
    }

    private void take(LnetNode node) {
        node.attach(
                MatchEntry.on(Lab.PORTAL).matchBits(Lab.BITS).build(),
                MemoryDescriptor.over(lab.memory(1 << 16, 1))
                        .options(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .handler(arrived::add)
                        .build());
    }

    /** Row 62, section 7.1: by its NID a peer belongs to one partition, with descriptors and registrations of its own. */
    @Test
    void eachPeerIsServedByThePartitionOfItsNid() throws VerbsException {
        LnetNode hub = lab.start(1, lab.tunables().partitions(2, 2).build());
        List<LnetNode> others = List.of(lab.start(2), lab.start(3), lab.start(257));
        for (LnetNode other : others) {
            take(other);
            put(hub, other, 10);
            put(hub, other, 20_000);
        }
        assertThat(lab.await(() -> arrived.size() == 6 && sent.size() == 6, LONG))
                .isTrue();
        assertThat(arrived).allMatch(LnetEvent::isSuccess);
        NetworkInterface ni = hub.ni();
        assertThat(others)
                .extracting(other -> hub.lnd().context().cpt(other.nid()).index())
                .contains(0, 1);
        for (Partition partition : ni.hca().partitions()) {
            assertThat(partition.transmits().made()).isPositive();
            assertThat(partition.transmits().inUse()).isZero();
            assertThat(partition.registrations().inUse()).isZero();
        }
        assertThat(hub.statistics().registration().objects())
                .isEqualTo(ni.hca().partitions().stream()
                        .mapToInt(partition -> partition.registrations().objects())
                        .sum());
    }

    /**
     * Row 56, section 6.1: descriptors are added pool by pool; all pools except the first are destroyed after 300 idle
     * seconds.
     */
    @Test
    void transmitDescriptorsGrowWithTheLoadAndGoWhenIdle() throws VerbsException {
        LnetNode node = lab.start(
                1, lab.tunables().ntx(1).peerCredits(255).connsPerPeer(3).build());
        LnetNode other = lab.start(2);
        TxPool transmits = DriverParts.pools(node).transmits();
        take(other);
        for (int i = 0; i < 600; i++) {
            put(node, other, 10);
        }
        assertThat(transmits.pools()).as("256 in each").isEqualTo(3);
        assertThat(transmits.made()).isEqualTo(600);
        assertThat(lab.await(() -> sent.size() == 600, LONG)).isTrue();
        long free = node.statistics().freeMemory();
        assertThat(transmits.inUse()).isZero();
        lab.pass(Duration.ofSeconds(290));
        put(node, other, 10);
        lab.pass(Duration.ofSeconds(1));
        assertThat(transmits.pools()).as("idle, but not for long enough").isEqualTo(3);
        lab.pass(Duration.ofSeconds(20));
        put(node, other, 10);
        lab.pass(Duration.ofSeconds(1));
        assertThat(transmits.pools()).as("the first pool stays").isEqualTo(1);
        assertThat(transmits.made()).isEqualTo(256);
        assertThat(node.statistics().freeMemory()).isGreaterThanOrEqualTo(free + 344 * 4096);
        assertThat(sent).hasSize(602).allMatch(LnetEvent::isSuccess);
    }

    /**
     * Section 6.1: without memory for another descriptor a message fails at once, and the pool tries no allocation for
     * a second.
     */
    @Test
    void withoutMemoryForADescriptorAMessageFails() throws VerbsException {
        LnetNode node = lab.start(1, O2ibTunables.builder().memory(4L << 20).build());
        LnetNode other = lab.start(2);
        take(other);
        put(node, other, 10);
        assertThat(lab.await(() -> sent.size() == 1, LONG)).isTrue();
        long taken = node.statistics().freeMemory() - 4 * 4096;
        assertThat(node.ni().memory().allocate(taken)).isNotNegative();
        for (int i = 0; i < 8; i++) {
            put(node, other, 10);
        }
        assertThat(lab.await(() -> sent.size() == 9, LONG)).isTrue();
        assertThat(DriverParts.pools(node).transmits().made()).isEqualTo(5);
        assertThat(sent.stream().filter(event -> event.status() == -12)).hasSize(3);
        assertThat(lab.await(() -> node.statistics().transmitsInUse() == 0, LONG))
                .isTrue();
        put(node, other, 10);
        assertThat(lab.await(() -> sent.size() == 10, LONG)).isTrue();
        assertThat(sent.getLast().isSuccess()).isTrue();
    }
}
