// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random PUTs and GETs both ways between two nodes, on good and on bad days. Each run replays from its seed. */
class TrafficTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int[] SIZES = {0, 1, 100, 3976, 3977, 4096, 10_000, 65_537, 300_001};

    private static final class Operation {
        private final String name;
        private final MemorySegment from;
        private final MemorySegment to;
        private final List<LnetEvent> active = new ArrayList<>();
        private final List<LnetEvent> passive = new ArrayList<>();

        Operation(String name, MemorySegment from, MemorySegment to) {
            this.name = name;
            this.from = from;
            this.to = to;
        }

        boolean isOver() {
            return active.stream().anyMatch(LnetEvent::unlinked);
        }

        boolean succeeded() {
            return active.size() == 2 && active.stream().allMatch(LnetEvent::isSuccess);
        }

        @Override
        public String toString() {
            return name + " of " + from.byteSize() + " bytes: " + active + " / " + passive;
        }
    }

    private final List<Operation> operations = new ArrayList<>();
    private final List<LnetNode> nodes = new ArrayList<>();
    private boolean registered = true;

    private void startNodes(Lab lab) throws VerbsException {
        O2ibTunables tunables = O2ibTunables.builder().memory(32L << 20).build();
        nodes.add(lab.start(1, tunables));
        nodes.add(lab.start(2, tunables));
    }

    private void startOne(Lab lab, Random random) throws VerbsException {
        int index = operations.size();
        LnetNode initiator = nodes.get(random.nextInt(2));
        LnetNode target = initiator == nodes.get(0) ? nodes.get(1) : nodes.get(0);
        int size = SIZES[random.nextInt(SIZES.length)];
        boolean put = random.nextBoolean();
        int offset = random.nextInt(5000);
        MemorySegment mine = memory(lab, random.nextBoolean() && registered ? initiator : null, size, offset);
        MemorySegment theirs = memory(lab, random.nextBoolean() && registered ? target : null, size, offset / 2);
        Operation operation = put ? new Operation("PUT", mine, theirs) : new Operation("GET", theirs, mine);
        operations.add(operation);
        Lab.fill(operation.from, index + 1);
        Lab.fill(operation.to, -index - 1L);
        target.attach(
                MatchEntry.on(Lab.PORTAL).matchBits(index).build(),
                MemoryDescriptor.over(theirs)
                        .options(put ? MdOption.OP_PUT : MdOption.OP_GET)
                        .threshold(1)
                        .handler(operation.passive::add)
                        .build());
        MemoryDescriptor active = Lab.active(mine, 2, operation.active);
        if (put) {
            initiator.put(active, true, target.id(), Lab.PORTAL, index, 0, index);
        } else {
            initiator.get(active, target.id(), Lab.PORTAL, index, 0);
        }
    }

    private static MemorySegment memory(Lab lab, LnetNode owner, int size, int offset) throws VerbsException {
        MemorySegment whole = owner == null || size == 0 ? lab.memory(size + offset, 0) : owner.allocate(size + offset);
        return whole.asSlice(offset, size);
    }

    private void assertAllMoved() {
        for (Operation operation : operations) {
            assertThat(operation.succeeded()).as("%s", operation).isTrue();
            assertThat(operation.to.mismatch(operation.from))
                    .as("%s", operation)
                    .isEqualTo(-1);
            assertThat(operation.passive).hasSize(1);
        }
    }

    private void assertCreditsAtRest() {
        O2ibStatistics.ConnectionStatistics left =
                nodes.get(0).statistics().connections().getFirst();
        O2ibStatistics.ConnectionStatistics right =
                nodes.get(1).statistics().connections().getFirst();
        assertThat(left.credits() + right.owed()).isEqualTo(8);
        assertThat(right.credits() + left.owed()).isEqualTo(8);
        assertThat(List.of(left.reserved(), right.reserved())).containsOnly(8);
        assertThat(left.pending() + right.pending()).isZero();
        assertThat(nodes).allMatch(node -> node.statistics().transmitsInUse() == 0);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "4, 0.05", "5, 0.05", "7, 0.01"})
    void everyByteArrivesDespiteLoss(long seed, double loss) throws VerbsException {
        String first = run(seed, loss);
        operations.clear();
        nodes.clear();
        assertThat(run(seed, loss)).as("the same seed again").isEqualTo(first);
    }

    private String run(long seed, double loss) throws VerbsException {
        Random random = new Random(seed);
        try (Lab lab = new Lab(seed)) {
            startNodes(lab);
            lab.fabric().loss(loss);
            for (int i = 0; i < 50; i++) {
                startOne(lab, random);
                if (random.nextInt(3) == 0) {
                    lab.pass(Duration.ofNanos(random.nextInt(200_000)));
                }
            }
            assertThat(lab.await(() -> operations.stream().allMatch(Operation::isOver), LONG))
                    .as("seed %d: %s", seed, operations)
                    .isTrue();
            lab.await(() -> operations.stream().noneMatch(o -> o.passive.isEmpty()), LONG);
            assertAllMoved();
            lab.fabric().loss(0);
            lab.pass(Duration.ofSeconds(1));
            assertCreditsAtRest();
            assertThat(lab.fabric().lost() > 0).isEqualTo(loss > 0);
            return lab.runtime().events() + " events, " + lab.runtime().nanoTime() + " ns, "
                    + lab.fabric().lost() + " lost, " + nodes.get(0).statistics();
        }
    }

    @Test
    void aNodeThatEndsInTheMiddleEndsEveryOperationOnce() throws VerbsException {
        int failed = 0;
        for (long seed = 11; seed < 23; seed++) {
            operations.clear();
            nodes.clear();
            endInTheMiddle(seed);
            failed += (int) operations.stream().filter(o -> !o.succeeded()).count();
        }
        assertThat(failed).isBetween(50, 12 * 40 - 50);
    }

    private void endInTheMiddle(long seed) throws VerbsException {
        Random random = new Random(seed);
        // The memory that is compared below must outlive the nodes.
        registered = false;
        try (Lab lab = new Lab(seed)) {
            startNodes(lab);
            startOne(lab, random);
            lab.pass(Duration.ofMillis(10));
            for (int i = 0; i < 39; i++) {
                startOne(lab, random);
                lab.pass(Duration.ofNanos(random.nextInt(2_000)));
            }
            LnetNode ending = nodes.get(random.nextInt(2));
            LnetNode other = ending == nodes.get(0) ? nodes.get(1) : nodes.get(0);
            lab.close(ending);
            assertThat(lab.await(() -> other.statistics().connections().isEmpty(), LONG))
                    .as("seed %d: %s", seed, other.statistics())
                    .isTrue();
            lab.close(other);
            for (Operation operation : operations) {
                assertThat(operation.active.stream().filter(LnetEvent::unlinked).count())
                        .as("seed %d: %s", seed, operation)
                        .isLessThanOrEqualTo(1);
                if (operation.succeeded()) {
                    assertThat(operation.to.mismatch(operation.from))
                            .as("seed %d: %s", seed, operation)
                            .isEqualTo(-1);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void aPeerThatFallsSilentFailsOnlyTheMessagesInFlight(long seed) throws VerbsException {
        Random random = new Random(seed);
        try (Lab lab = new Lab(seed)) {
            startNodes(lab);
            for (int i = 0; i < 40; i++) {
                startOne(lab, random);
            }
            lab.pass(Duration.ofNanos(random.nextInt(2_000_000)));
            lab.fabric().silence("sim1");
            LnetNode survivor = nodes.get(0);
            assertThat(lab.await(() -> survivor.statistics().connections().isEmpty(), LONG))
                    .isTrue();
            lab.pass(Duration.ofMinutes(2));
            assertThat(survivor.statistics().transmitsInUse()).isZero();
            lab.fabric().unsilence();
            int before = operations.size();
            for (int i = 0; i < 10; i++) {
                startOne(lab, random);
            }
            List<Operation> later = operations.subList(before, operations.size());
            assertThat(lab.await(() -> later.stream().allMatch(Operation::isOver), LONG))
                    .as("seed %d: %s", seed, later)
                    .isTrue();
            assertThat(later).allMatch(Operation::succeeded);
        }
    }
}
