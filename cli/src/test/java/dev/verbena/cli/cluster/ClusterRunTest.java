// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cli.cluster.ClusterDescription.Span;
import dev.verbena.lnd.O2ibTunables;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.LinkProperties;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters in which nodes crash and the network is partitioned. */
class ClusterRunTest {
    private static final List<Long> SIZES = List.of(0L, 1L, 64L, 1000L, 4096L, 20_000L);

    private static ClusterDescription cluster(
            long seed, int nodes, int peers, int memory, Duration time, long messages, int crashes, int partitions) {
        return new ClusterDescription(
                seed,
                nodes,
                peers,
                memory << 20,
                time,
                LinkProperties.DEFAULT,
                0.0005,
                messages,
                0.5,
                SIZES,
                crashes,
                new Span(Duration.ofSeconds(2), Duration.ofSeconds(60)),
                partitions,
                new Span(Duration.ofSeconds(5), Duration.ofSeconds(60)));
    }

    private static ClusterOutcome run(ClusterDescription description) throws VerbsException {
        return new ClusterRun(description, sample -> {}).run();
    }

    private static void assertUnchanged(ClusterOutcome outcome) {
        assertThat(outcome.violations()).isEmpty();
        assertThat(outcome.isGood()).isTrue();
        assertThat(outcome.started()).isEqualTo(outcome.description().messages());
        assertThat(outcome.delivered() + outcome.failed() + outcome.orphaned()).isEqualTo(outcome.started());
    }

    @Test
    void noMessageIsLostOrDoubledWhileNodesDieAndTheNetworkFallsApart() throws VerbsException {
        ClusterOutcome outcome = run(cluster(11, 6, 5, 8, Duration.ofMinutes(10), 800, 4, 3));
        assertUnchanged(outcome);
        assertThat(outcome.crashes()).isEqualTo(4);
        assertThat(outcome.partitions()).isEqualTo(3);
        assertThat(outcome.delivered()).isBetween(500L, 799L);
        assertThat(outcome.samples().getLast().up()).isEqualTo(6);
        assertThat(outcome.samples().getLast().pending()).isZero();
    }

    @Test
    void aSeedHasOneHash() throws VerbsException {
        ClusterDescription description = cluster(12, 4, 2, 8, Duration.ofMinutes(2), 200, 1, 1);
        ClusterOutcome first = run(description);
        ClusterOutcome second = run(description);
        assertThat(second).isEqualTo(first);
        assertThat(run(cluster(13, 4, 2, 8, Duration.ofMinutes(2), 200, 1, 1)).hash())
                .isNotEqualTo(first.hash());
    }

    /** Two operations have the same number: one memory is written or read twice, the other never. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMessageThatIsDoubledOrLostIsFound(boolean put) throws VerbsException {
        try (VirtualRuntime runtime = new VirtualRuntime(1)) {
            SplitFabric fabric = new SplitFabric(new InProcessFabric(runtime), 0, runtime.newRandom("packets"));
            Host initiator = started(0, runtime, fabric);
            Host target = started(1, runtime, fabric);
            Ledger ledger = new Ledger(runtime);
            Operation one = new Operation(ledger, 7, put, 100, initiator, target, 0);
            Operation same = new Operation(ledger, 7, put, 100, initiator, target, 0);
            one.start();
            same.start();
            pass(runtime);
            one.retire();
            same.retire();
            assertThat(ledger.violations())
                    .hasSize(2)
                    .anyMatch(text -> text.contains("served twice"))
                    .anyMatch(text -> text.contains("reported as delivered but never served"));
            initiator.stop();
            target.stop();
        }
    }

    @Test
    void unclosedObjectsAndMissingMessagesAreFound() throws VerbsException {
        try (VirtualRuntime runtime = new VirtualRuntime(1)) {
            SplitFabric fabric = new SplitFabric(new InProcessFabric(runtime), 0, runtime.newRandom("packets"));
            Host initiator = started(0, runtime, fabric);
            Host target = started(1, runtime, fabric);
            Ledger ledger = new Ledger(runtime);
            Books books = new Books(List.of(initiator, target), ledger);
            new Operation(ledger, 1, true, 100_000, initiator, target, 0).start();
            books.checkAtRest();
            assertThat(ledger.violations()).anyMatch(text -> text.contains("transmits are in use"));
            long before = ledger.violatedCount();
            pass(runtime);
            books.checkAtRest();
            assertThat(ledger.violatedCount()).isEqualTo(before);
            target.crash(fabric);
            target.start(runtime, fabric, O2ibTunables.defaults());
            books.checkAtRest();
            assertThat(ledger.violations()).anyMatch(text -> text.contains("which has no such connection"));
            initiator.stop();
            target.stop();
        }
    }

    private static Host started(int index, VirtualRuntime runtime, SplitFabric fabric) throws VerbsException {
        Host host = new Host(index);
        host.start(runtime, fabric, O2ibTunables.defaults());
        return host;
    }

    private static void pass(VirtualRuntime runtime) {
        try {
            runtime.await(() -> false, Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Prints memory and wall time; {@code -Dverbena.cluster.messages} changes the size. */
    @Test
    @Tag("sweep")
    void sixtyFourAndFiveHundredNodesKeepTheirPromisesForAnHour() throws VerbsException {
        long messages = Long.getLong("verbena.cluster.messages", 1_000_000);
        ClusterOutcome few = told(cluster(64, 64, 63, 16, Duration.ofHours(1), messages / 2, 250, 100));
        ClusterOutcome many = told(cluster(500, 500, 12, 4, Duration.ofHours(1), messages - messages / 2, 250, 100));
        assertThat(few.crashes() + many.crashes()).isGreaterThanOrEqualTo(500);
        assertThat(few.partitions() + many.partitions()).isGreaterThanOrEqualTo(200);
    }

    private static ClusterOutcome told(ClusterDescription description) throws VerbsException {
        long began = System.nanoTime();
        ClusterOutcome outcome = run(description);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        Runtime machine = Runtime.getRuntime();
        System.out.println(description.nodes() + " nodes, " + outcome.started() + " messages, " + outcome.delivered()
                + " delivered, " + outcome.crashes() + " crashes, " + outcome.partitions() + " partitions, "
                + outcome.events() + " events in " + took.toSeconds() + " s, heap "
                + (machine.totalMemory() - machine.freeMemory() >> 20) + " MiB, seed " + description.seed() + ", hash "
                + outcome.hash());
        assertUnchanged(outcome);
        return outcome;
    }
}
