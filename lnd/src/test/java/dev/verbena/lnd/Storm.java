package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.CompletionFate;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Random traffic between two nodes of random parameters while packets are lost, completions change places, and a node falls
 * silent for a while. The invariants are looked at after every event. All follows from the seed.
 */
final class Storm implements AutoCloseable {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int[] SIZES = {0, 1, 100, 1000, 3976, 3977, 4096, 9000, 20_000};

    /** One operation, the memory of both ends, and what was said about it. */
    private final class Operation {
        private final boolean put;
        private final MemorySegment from;
        private final MemorySegment to;
        private final List<LnetEvent> active = new ArrayList<>();
        private final List<LnetEvent> passive = new ArrayList<>();
        private MemorySegment afterwards = MemorySegment.NULL;

        Operation(boolean put, MemorySegment from, MemorySegment to) {
            this.put = put;
            this.from = from;
            this.to = to;
        }

        /** The sink is its owner's again when the last event about it has come: whoever writes to it now is caught. */
        void sinkIsFree() {
            Lab.fill(to, random.nextLong());
            afterwards = lab.memory(to.byteSize(), 0);
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
    private final Lab lab;
    private final List<LnetNode> nodes = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();
    private final Invariants invariants;
    private final boolean silences;

    Storm(long seed) throws VerbsException {
        this.seed = seed;
        random = new Random(seed);
        lab = new Lab(seed);
        if (random.nextInt(3) == 0) {
            Random order = new Random(seed);
            lab.delaying(completion -> order.nextInt(3) == 0
                    ? new CompletionFate.Delay(Duration.ofNanos(order.nextInt(100_000)))
                    : CompletionFate.DELIVER);
        }
        int connections = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1;
        for (int host = 1; host <= 2; host++) {
            nodes.add(lab.start(host, tunables(connections)));
        }
        silences = random.nextInt(3) == 0;
        invariants = new Invariants(nodes, connections == 1 && !silences);
    }

    private O2ibTunables tunables(int connections) {
        RegistrationKind[] kinds = RegistrationKind.values();
        RegistrationTunables registration = RegistrationTunables.defaults()
                .withKind(kinds[random.nextInt(kinds.length)])
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
                .build();
    }

    /** Runs so many operations; returns how many LNet messages that were. */
    long run(int count) throws VerbsException {
        lab.fabric().loss(random.nextInt(3) == 0 ? random.nextDouble() * 0.03 : 0);
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
        return lab.await(
                () -> {
                    invariants.check();
                    return condition.getAsBoolean();
                },
                timeout);
    }

    private void fallSilent() {
        lab.fabric().silence(random.nextBoolean() ? "sim0" : "sim1");
        await(() -> false, Duration.ofMillis(random.nextInt(8_000)));
        lab.fabric().unsilence();
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
        Lab.fill(operation.from, index + 1);
        target.attach(
                MatchEntry.on(Lab.PORTAL).matchBits(index).build(),
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
            initiator.put(active, true, target.id(), Lab.PORTAL, index, 0, index);
        } else {
            initiator.get(active, target.id(), Lab.PORTAL, index, 0);
        }
    }

    /** Memory of the node as long as it has some, at any offset; else memory that is to be copied. */
    private MemorySegment memory(LnetNode node, int size) throws VerbsException {
        int offset = random.nextInt(5000);
        boolean own = size > 0 && random.nextInt(4) > 0 && node.statistics().freeMemory() > 8 << 20;
        MemorySegment whole = own ? node.allocate(size + offset) : lab.memory(size + offset, 0);
        return whole.asSlice(offset, size);
    }

    /** Once the weather is fair again everything comes to rest, and the books agree. */
    private void settle() throws VerbsException {
        lab.fabric().loss(0);
        await(() -> false, Duration.ofMinutes(3));
        operations.forEach(Operation::checkCounts);
        for (LnetNode node : nodes) {
            O2ibStatistics statistics = node.statistics();
            assertThat(statistics.transmitsInUse())
                    .as("seed %d: %s", seed, statistics)
                    .isZero();
            assertThat(statistics.registration().inUse())
                    .as("seed %d: %s", seed, statistics)
                    .isZero();
            for (O2ibStatistics.ConnectionStatistics connection : statistics.connections()) {
                assertThat(connection.reserved())
                        .as("seed %d: %s", seed, statistics)
                        .isEqualTo(connection.queueDepth());
                assertThat(connection.pending())
                        .as("seed %d: %s", seed, statistics)
                        .isZero();
            }
        }
        assertThat(credits(nodes.get(0)) + owed(nodes.get(1)))
                .as("seed %d", seed)
                .isEqualTo(depth(nodes.get(0)));
        assertThat(credits(nodes.get(1)) + owed(nodes.get(0)))
                .as("seed %d", seed)
                .isEqualTo(depth(nodes.get(1)));
        for (String name : List.of("sim0", "sim1")) {
            try (Device device = lab.provider().open(name)) {
                assertThat(device.extension(Counters.class).orElseThrow().read())
                        .filteredOn(counter -> counter.name().contains("rnr"))
                        .as("seed %d: a message came before there was a buffer for it", seed)
                        .isNotEmpty()
                        .allMatch(counter -> counter.value() == 0);
            }
        }
    }

    private static int credits(LnetNode node) {
        return node.statistics().connections().stream()
                .mapToInt(O2ibStatistics.ConnectionStatistics::credits)
                .sum();
    }

    private static int owed(LnetNode node) {
        return node.statistics().connections().stream()
                .mapToInt(O2ibStatistics.ConnectionStatistics::owed)
                .sum();
    }

    private static int depth(LnetNode node) {
        return node.statistics().connections().stream()
                .mapToInt(O2ibStatistics.ConnectionStatistics::queueDepth)
                .sum();
    }

    long checks() {
        return invariants.checks();
    }

    @Override
    public void close() throws VerbsException {
        lab.close();
    }
}
