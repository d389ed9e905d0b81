// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import dev.verbena.lnd.O2ibTunables;
import dev.verbena.lnd.RegistrationTunables;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Simulates a cluster once, in one thread: starts the nodes, generates PUTs and GETs, crashes nodes, and partitions the
 * network. Then waits until all PUTs and GETs have completed or failed, and checks the counters of the nodes.
 */
public final class ClusterRun {
    private static final int SAMPLES = 240;
    private static final int MOST_IN_A_BURST = 16;
    /** The maximum number of fragments per message. A small maximum keeps the send queues of all nodes short. */
    private static final int FRAGMENTS = 2;

    private static final int POOL_SIZE = 16;
    /** A delivered PUT or GET keeps its buffers for this time after its start, while packets may refer to the buffers. */
    private static final Duration LINGERING = Duration.ofSeconds(20);

    /** An undelivered PUT or GET keeps its buffers for at least this time, which exceeds all timeouts of o2iblnd. */
    private static final Duration RETIREMENT = Duration.ofMinutes(2);

    private static final Duration HANGING = Duration.ofMinutes(10);
    private static final Duration REST = Duration.ofMinutes(5);

    /** A scheduled event. Two events for the same time run in the order in which they were scheduled. */
    private record Step(long at, long order, Action action) {}

    @FunctionalInterface
    private interface Action {
        void run() throws VerbsException;
    }

    private final ClusterDescription description;
    private final Consumer<Sample> progress;
    private final VirtualRuntime runtime;
    private final RandomGenerator chance;
    private final SplitFabric fabric;
    private final O2ibTunables tunables;
    private final Ledger ledger;
    private final Books books;
    private final List<Host> hosts = new ArrayList<>();
    private final PriorityQueue<Step> plan =
            new PriorityQueue<>(Comparator.comparingLong(Step::at).thenComparingLong(Step::order));
    /** The PUTs and GETs that were started within the last {@link #LINGERING}, in the order of their start. */
    private final Deque<Operation> underWay = new ArrayDeque<>();

    /**
     * The PUTs and GETs that failed or have received no ACK or REPLY. The memory descriptors of these PUTs and GETs stay
     * linked, because their last LNet events may still arrive.
     */
    private final Deque<Operation> late = new ArrayDeque<>();

    private final List<Sample> samples = new ArrayList<>();
    private final List<Incident> incidents = new ArrayList<>();
    private long planned;
    private int crashes;
    private int partitions;

    /** Creates a simulation, which passes a few hundred samples of the cluster's state to {@code progress}. */
    public ClusterRun(ClusterDescription description, Consumer<Sample> progress) {
        this.description = description;
        this.progress = progress;
        runtime = new VirtualRuntime(description.seed());
        chance = runtime.newRandom("cluster");
        fabric = new SplitFabric(
                new InProcessFabric(runtime, description.links()),
                description.loss(),
                runtime.newRandom("cluster packets"));
        tunables = O2ibTunables.builder()
                .memory(description.memory())
                .registration(RegistrationTunables.defaults()
                        .withMapOnDemand(FRAGMENTS)
                        .withPools(POOL_SIZE, POOL_SIZE / 2))
                .build();
        ledger = new Ledger(runtime);
        books = new Books(hosts, ledger);
        for (int i = 0; i < description.nodes(); i++) {
            hosts.add(new Host(i));
        }
    }

    public ClusterOutcome run() throws VerbsException {
        try (runtime) {
            for (Host host : hosts) {
                host.start(runtime, fabric, tunables);
            }
            planTraffic();
            planFaults();
            planSamples();
            follow();
            quiesce();
            return new ClusterOutcome(
                    description,
                    ledger.startedCount(),
                    ledger.deliveredCount(),
                    ledger.failedCount(),
                    ledger.orphanedCount(),
                    crashes,
                    partitions,
                    Duration.ofNanos(runtime.nanoTime()),
                    runtime.events(),
                    ledger.hash(),
                    ledger.violatedCount(),
                    ledger.violations(),
                    samples,
                    incidents);
        }
    }

    private void plan(long at, Action action) {
        plan.add(new Step(at, planned++, action));
    }

    private void follow() throws VerbsException {
        for (Step step = plan.poll(); step != null; step = plan.poll()) {
            pass(Duration.ofNanos(step.at - runtime.nanoTime()));
            retire();
            step.action.run();
        }
    }

    private void pass(Duration time) {
        try {
            runtime.await(() -> false, time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    // Traffic: each burst sends messages from one node to one of its neighbours, and schedules the next burst.

    private void planTraffic() {
        plan(0, this::burst);
    }

    private void burst() throws VerbsException {
        long left = description.messages() - ledger.startedCount();
        long count = Math.min(left, 1 + chance.nextInt(MOST_IN_A_BURST));
        Host initiator = hosts.get(chance.nextInt(hosts.size()));
        Host target = hosts.get(neighbour(initiator.index()));
        boolean exhausted = false;
        for (long i = 0; i < count && !exhausted; i++) {
            boolean put = chance.nextDouble() < description.puts();
            long size =
                    description.sizes().get(chance.nextInt(description.sizes().size()));
            if (initiator.isUp() && target.isUp()) {
                exhausted = !begin(put, (int) size, initiator, target);
            }
        }
        if (exhausted) {
            // If a node cannot allocate a buffer, traffic pauses for the duration LINGERING, during which PUTs and GETs
            // in flight complete and free their buffers.
            plan(runtime.nanoTime() + LINGERING.toNanos(), this::burst);
        } else if (ledger.startedCount() < description.messages()) {
            long rest = Math.max(0, description.time().toNanos() - runtime.nanoTime());
            long bursts = Math.max(1, (left - count) * 2 / (MOST_IN_A_BURST + 1));
            plan(runtime.nanoTime() + chance.nextLong(2 * (rest / bursts) + 1), this::burst);
        }
    }

    private int neighbour(int index) {
        int distance = 1 + chance.nextInt(description.peers());
        if (description.peers() < description.nodes() - 1 && distance > description.peers() / 2) {
            distance = description.peers() / 2 - distance;
        }
        return Math.floorMod(index + distance, description.nodes());
    }

    /** Starts a PUT or a GET. Returns false if the initiator or the target cannot allocate the buffer. */
    private boolean begin(boolean put, int size, Host initiator, Host target) throws VerbsException {
        Operation operation;
        try {
            operation = new Operation(ledger, ledger.startedCount(), put, size, initiator, target, runtime.nanoTime());
        } catch (VerbsException e) {
            if (e.errno() == Errno.ENOMEM) {
                return false;
            }
            throw e;
        }
        ledger.started();
        underWay.add(operation);
        operation.start();
        return true;
    }

    private void retire() {
        long now = runtime.nanoTime();
        for (Operation oldest = underWay.peek();
                oldest != null && now - oldest.startedAt() > LINGERING.toNanos();
                oldest = underWay.peek()) {
            underWay.remove();
            if (oldest.isDelivered()) {
                oldest.retire();
            } else {
                late.add(oldest);
            }
        }
        for (Operation oldest = late.peek();
                oldest != null && now - oldest.startedAt() > RETIREMENT.toNanos();
                oldest = late.peek()) {
            if (!oldest.isSent()) {
                if (now - oldest.startedAt() <= HANGING.toNanos()) {
                    return;
                }
                ledger.violated(oldest + " was started " + HANGING + " ago and has not ended");
            }
            late.remove();
            oldest.retire();
        }
    }

    // The injected faults are crashes and partitions at random times.

    private void planFaults() {
        for (int i = 0; i < description.crashes(); i++) {
            plan(chance.nextLong(description.time().toNanos()), this::crash);
        }
        for (int i = 0; i < description.partitions(); i++) {
            plan(chance.nextLong(description.time().toNanos()), this::split);
        }
    }

    private long within(ClusterDescription.Span span) {
        return chance.nextLong(span.shortest().toNanos(), span.longest().toNanos() + 1);
    }

    private void crash() throws VerbsException {
        List<Host> living = hosts.stream().filter(Host::isUp).toList();
        if (living.isEmpty()) {
            return;
        }
        Host victim = living.get(chance.nextInt(living.size()));
        tell(Incident.Kind.CRASH, victim.index());
        books.checkLeaks(victim, victim.crash(fabric));
        crashes++;
        plan(runtime.nanoTime() + within(description.outage()), () -> {
            tell(Incident.Kind.RESTART, victim.index());
            victim.start(runtime, fabric, tunables);
        });
    }

    private void split() {
        BitSet side = new BitSet();
        int most = Math.max(1, hosts.size() / 2);
        int size = 1 + chance.nextInt(most);
        while (side.cardinality() < size) {
            side.set(chance.nextInt(hosts.size()));
        }
        tell(Incident.Kind.PARTITION, size);
        fabric.split(side);
        plan(runtime.nanoTime() + within(description.split()), () -> {
            tell(Incident.Kind.HEALING, size);
            fabric.heal(side);
            partitions++;
        });
    }

    private void tell(Incident.Kind kind, int node) {
        Incident incident = new Incident(Duration.ofNanos(runtime.nanoTime()), kind, node);
        incidents.add(incident);
        ledger.saw(incident);
    }

    private void planSamples() {
        for (int i = 0; i <= SAMPLES; i++) {
            plan(description.time().toNanos() / SAMPLES * i, this::sample);
        }
    }

    private void sample() throws VerbsException {
        Sample sample = books.sample(Duration.ofNanos(runtime.nanoTime()), fabric);
        samples.add(sample);
        progress.accept(sample);
    }

    /** Waits until all PUTs and GETs have completed or failed; then checks that no node has leaked resources. */
    private void quiesce() throws VerbsException {
        pass(RETIREMENT.plus(HANGING));
        retire();
        sample();
        pass(REST);
        books.checkAtRest();
        for (Host host : hosts) {
            books.checkLeaks(host, host.stop());
        }
    }
}
