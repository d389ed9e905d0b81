// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.provider.CompletionFate;
import dev.verbena.lnd.O2ibStatistics.ConnectionStatistics;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;

/**
 * Random traffic between two nodes of random parameters while packets are lost, completions change places, and a node
 * falls silent for a while. The invariants are checked after every event. All follows from the seed.
 */
final class Storm {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int[] SIZES = {0, 1, 100, 1000, 3976, 3977, 4096, 9000, 20_000};

    private final class Operation {
        private final boolean put;
        private final MemorySegment from;
        private final MemorySegment to;
        private final List<LnetEvent> active = new CopyOnWriteArrayList<>();
        private final List<LnetEvent> passive = new CopyOnWriteArrayList<>();
        private volatile MemorySegment afterwards = MemorySegment.NULL;

        Operation(boolean put, MemorySegment from, MemorySegment to) {
            this.put = put;
            this.from = from;
            this.to = to;
        }

        /** After the last event the sink belongs to its owner again, so the test detects every later write to it. */
        void sinkIsFree() {
            Rig.fill(to, random.nextLong());
            afterwards = rig.memory(to.byteSize(), 0);
            afterwards.copyFrom(to);
        }

        void activeEvent(LnetEvent event) {
            active.add(event);
            if (!put && event.unlinked()) {
                check(event.isSuccess() && active.stream().allMatch(LnetEvent::isSuccess));
                sinkIsFree();
            }
        }

        void passiveEvent(LnetEvent event) {
            passive.add(event);
            if (put) {
                check(event.isSuccess());
                sinkIsFree();
            }
        }

        private void check(boolean success) {
            if (success) {
                assertThat(to.mismatch(from)).as("%s", this).isEqualTo(-1);
            }
        }

        boolean isSent() {
            return active.stream().anyMatch(event -> event.type() == LnetEventType.SEND);
        }

        void checkCounts() {
            assertThat(active.stream()
                            .filter(e -> e.type() == LnetEventType.SEND)
                            .count())
                    .as("SENDs of %s", this)
                    .isEqualTo(1);
            assertThat(active.stream()
                            .filter(e -> e.type() != LnetEventType.SEND)
                            .count())
                    .as("answers to %s", this)
                    .isLessThanOrEqualTo(1);
            assertThat(passive).as("%s", this).hasSizeLessThanOrEqualTo(1);
            if (active.size() == 2 && active.stream().allMatch(LnetEvent::isSuccess)) {
                assertThat(passive).as("%s", this).hasSize(1);
            }
            if (!afterwards.equals(MemorySegment.NULL)) {
                assertThat(to.mismatch(afterwards))
                        .as("written after its end: %s", this)
                        .isEqualTo(-1);
            }
        }

        @Override
        public String toString() {
            return (put ? "PUT of " : "GET of ") + from.byteSize() + " bytes: " + active + " / " + passive;
        }
    }

    private final long seed;
    private final Random random;
    private final Rig rig;
    private final List<LnetNode> nodes = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();
    private final Invariants invariants;
    private final boolean silences;

    /** Runs in a rig, which its owner closes. Faults that the rig does not support are left out. */
    Storm(long seed, Rig rig) throws VerbsException {
        this.seed = seed;
        this.rig = rig;
        random = new Random(seed);
        if (random.nextInt(3) == 0) {
            Random order = new Random(seed);
            rig.delay(completion -> order.nextInt(3) == 0
                    ? new CompletionFate.Delay(Duration.ofNanos(order.nextInt(100_000)))
                    : CompletionFate.DELIVER);
        }
        int connections = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1;
        for (int host = 1; host <= 2; host++) {
            nodes.add(rig.start(host, tunables(connections, rig.kinds(host))));
        }
        silences = random.nextInt(3) == 0;
        boolean exact = rig.runtime().isVirtual();
        invariants = new Invariants(nodes, exact, exact && connections == 1 && !silences);
    }

    private O2ibTunables tunables(int connections, List<RegistrationKind> kinds) {
        RegistrationTunables registration = RegistrationTunables.defaults()
                .withKind(kinds.get(random.nextInt(kinds.size())))
                .withPools(1 + random.nextInt(8), 1 + random.nextInt(4))
                .withFmrCache(random.nextBoolean())
                .withInvalidateOnRelease(random.nextInt(4) == 0);
        return O2ibTunables.builder()
                .memory(32L << 20)
                .registration(registration)
                .peerCredits(8 + random.nextInt(9))
                .peerCreditsHiw(random.nextInt(8))
                .concurrentSends(random.nextBoolean() ? 0 : 4)
                .connsPerPeer(connections)
                .partitions(1 + random.nextInt(3), 1 + random.nextInt(2))
                .build();
    }

    /** Runs {@code count} operations; returns the number of their LNet messages. */
    long run(int count) throws VerbsException {
        rig.lose(random.nextInt(3) == 0 ? random.nextDouble() * 0.03 : 0);
        for (int i = 0; i < count; i++) {
            startOne(i);
            if (random.nextInt(4) == 0) {
                Duration pause = Duration.ofNanos(random.nextInt(100_000));
                await(() -> false, pause);
            }
            if (silences && random.nextInt(200) == 0) {
                fallSilent();
            }
        }
        assertThat(await(() -> operations.stream().allMatch(Operation::isSent), LONG))
                .as("deadlock: seed %d, %s", seed, nodes.getFirst().statistics())
                .isTrue();
        settle();
        return nodes.stream().mapToLong(Storm::messages).sum();
    }

    private static long messages(LnetNode node) {
        long sum = 0;
        for (LnetMessageType type : LnetMessageType.values()) {
            sum += node.lnetStatistics().sent(type);
        }
        return sum;
    }

    private boolean await(BooleanSupplier condition, Duration timeout) {
        return rig.await(
                () -> {
                    invariants.check();
                    return condition.getAsBoolean();
                },
                timeout);
    }

    private void fallSilent() {
        rig.silence(1 + random.nextInt(2));
        await(() -> false, Duration.ofMillis(random.nextInt(8_000)));
        rig.unsilence();
    }

    private void startOne(int index) throws VerbsException {
        LnetNode initiator = nodes.get(random.nextInt(2));
        LnetNode target = initiator == nodes.get(0) ? nodes.get(1) : nodes.get(0);
        int size = SIZES[random.nextInt(SIZES.length)];
        boolean put = random.nextBoolean();
        MemorySegment mine = memory(initiator, size);
        MemorySegment theirs = memory(target, size);
        Operation operation = put ? new Operation(true, mine, theirs) : new Operation(false, theirs, mine);
        operations.add(operation);
        Rig.fill(operation.from, index + 1);
        target.attach(
                MatchEntry.on(Rig.PORTAL).matchBits(index).build(),
                MemoryDescriptor.over(theirs)
                        .options(put ? MdOption.OP_PUT : MdOption.OP_GET)
                        .threshold(1)
                        .handler(operation::passiveEvent)
                        .build());
        MemoryDescriptor active = MemoryDescriptor.over(mine)
                .threshold(2)
                .handler(operation::activeEvent)
                .build();
        if (put) {
            initiator.put(active, true, target.id(), Rig.PORTAL, index, 0, index);
        } else {
            initiator.get(active, target.id(), Rig.PORTAL, index, 0);
        }
    }

    /** Memory of the node as long as it has some, at any offset; else memory that is to be copied. */
    private MemorySegment memory(LnetNode node, int size) throws VerbsException {
        int offset = random.nextInt(5000);
        boolean own = size > 0 && random.nextInt(4) > 0 && node.statistics().freeMemory() > 8 << 20;
        MemorySegment whole = own ? node.allocate(size + offset) : rig.memory(size + offset, 0);
        return whole.asSlice(offset, size);
    }

    /** After the faults end, all traffic ends, and the credits of both sides agree. */
    private void settle() throws VerbsException {
        rig.lose(0);
        rig.settle(invariants::check, this::isAtRest);
        operations.forEach(Operation::checkCounts);
        assertThat(isAtRest())
                .as(
                        "seed %d, at rest: %s, %s",
                        seed, nodes.get(0).statistics(), nodes.get(1).statistics())
                .isTrue();
        for (int host = 1; host <= 2; host++) {
            assertThat(rig.counters(host))
                    .filteredOn(counter -> counter.name().contains("rnr"))
                    .as("seed %d: a message came before there was a buffer for it", seed)
                    .allMatch(counter -> counter.value() == 0);
        }
    }

    /** Nothing is in use, and credits that one end has and the other owes add up to the depth of the queues. */
    private boolean isAtRest() {
        O2ibStatistics left = nodes.get(0).statistics();
        O2ibStatistics right = nodes.get(1).statistics();
        return isIdle(left)
                && isIdle(right)
                && sum(left, ConnectionStatistics::credits) + sum(right, ConnectionStatistics::owed)
                        == sum(left, ConnectionStatistics::queueDepth)
                && sum(right, ConnectionStatistics::credits) + sum(left, ConnectionStatistics::owed)
                        == sum(right, ConnectionStatistics::queueDepth);
    }

    private static boolean isIdle(O2ibStatistics statistics) {
        return statistics.transmitsInUse() == 0
                && statistics.registration().inUse() == 0
                && statistics.connections().stream()
                        .allMatch(connection ->
                                connection.reserved() == connection.queueDepth() && connection.pending() == 0);
    }

    private static int sum(O2ibStatistics statistics, ToIntFunction<ConnectionStatistics> what) {
        return statistics.connections().stream().mapToInt(what).sum();
    }

    Invariants invariants() {
        return invariants;
    }
}
