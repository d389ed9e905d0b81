// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.stress;

import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** One connection from its creation to its end: traffic in one direction or both, and control verbs meanwhile. */
final class Life {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final long MOST_BYTES = 1 << 19;

    /** Memory that is no longer in use, and its bytes at that time. */
    private record Frozen(SlotMemory memory, MemorySegment bytes, String why) {}

    /** Memory of the test itself; closed when the life ends, because no device refers to it. */
    final Arena arena = Arena.ofShared();

    final StressFabric.Place place;
    final Side[] sides = new Side[2];
    final Counts counts;
    final String name;
    final QpType type;
    /** Whether a control verb may end the connection. */
    final boolean ends;

    final boolean cutsLinks;
    /**
     * Long enough for a thread that waits for a processor; short if links are cut, so that many packets are
     * retransmitted.
     */
    final AckTimeout ackTimeout;

    final int batches;
    final long mostBytes;
    private final SplittableRandom random;
    private final boolean bothWays;
    private final Set<SlotMemory> moved = ConcurrentHashMap.newKeySet();
    private final List<Frozen> frozen = new ArrayList<>();
    /** Whether the control verbs up to now permit an error. */
    private volatile boolean mayFail;

    private volatile boolean over;

    Life(StressFabric.Place place, Side.Memories[] memories, long seed, Counts counts) throws VerbsException {
        this.place = place;
        this.counts = counts;
        random = new SplittableRandom(seed);
        type = random.nextInt(6) == 0 ? QpType.UC : QpType.RC;
        boolean shared = random.nextInt(3) == 0;
        boolean oneDevice = random.nextInt(5) == 0;
        ends = random.nextInt(3) == 0;
        cutsLinks = random.nextInt(5) == 0;
        ackTimeout = AckTimeout.ofCode(cutsLinks ? 12 : 17);
        bothWays = random.nextBoolean();
        batches = 10 + random.nextInt(60);
        mostBytes = 1L << Math.max(random.nextInt(7, 20), random.nextInt(7, 20));
        PathMtu mtu = PathMtu.values()[random.nextInt(PathMtu.values().length)];
        name = "life " + seed + ": " + type + (shared ? " with SRQ" : "") + (oneDevice ? " on one device" : "")
                + (ends ? ", ends" : "")
                + (cutsLinks ? ", cuts links" : "") + (bothWays ? ", both ways" : "") + ", MTU " + mtu.bytes() + ", "
                + batches + " batches of messages of up to " + mostBytes + " bytes";
        for (int i = 0; i < 2; i++) {
            sides[i] = new Side(i, memories[i == 1 && oneDevice ? 2 : i], type, shared);
        }
        int[] psns = {random.nextInt(1 << 24), random.nextInt(1 << 24)};
        for (int i = 0; i < 2; i++) {
            sides[i].connect(
                    place.address(sides[1 - i].host), sides[1 - i].qp.number(), mtu, ackTimeout, psns[i], psns[1 - i]);
        }
    }

    SplittableRandom newRandom() {
        return random.split();
    }

    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }

    /** Permits failures of requests from now on. Called before a control verb. */
    void mayFail() {
        mayFail = true;
    }

    boolean allows(WorkCompletionStatus status) {
        return mayFail || (cutsLinks && status == WorkCompletionStatus.RETRY_EXC_ERR);
    }

    /** Returns whether another verb may have caused an error of a verb. */
    boolean allowsErrors() {
        return mayFail || cutsLinks;
    }

    /** Records that the bytes of a region may be elsewhere from now on. Called before the region is moved. */
    void move(SlotMemory memory) {
        moved.add(memory);
    }

    boolean isMoved(SlotMemory memory) {
        return moved.contains(memory);
    }

    /** Records that a memory must not change any more. Called after a control verb. */
    void freeze(SlotMemory memory, String why) {
        MemorySegment bytes = arena.allocate(memory.memory().byteSize(), 8);
        bytes.copyFrom(memory.memory());
        frozen.add(new Frozen(memory, bytes, why));
    }

    /** Waits for a condition; false if the life ended first. */
    boolean await(Object what, BooleanSupplier condition) throws InterruptedException {
        if (!place.await(() -> over || condition.getAsBoolean(), PATIENCE)) {
            throw new AssertionError(name + ": no completion within " + PATIENCE.toSeconds() + " s: " + what + "\n"
                    + sides[0].qp.explain() + "\n" + sides[1].qp.explain());
        }
        return condition.getAsBoolean();
    }

    /** Waits for a request of one side; null if the life ended first. */
    Side.Done await(Side side, long id) throws InterruptedException {
        await("request " + id, () -> {
            side.collect();
            return side.isDone(id);
        });
        return side.take(id);
    }

    void run() throws Exception {
        try (arena) {
            execute();
        }
    }

    private void execute() throws Exception {
        List<Traffic> traffic = new ArrayList<>();
        for (int i = 0; i < (bothWays ? 2 : 1); i++) {
            traffic.add(new Traffic(this, sides[i], sides[1 - i]));
        }
        Control control = new Control(this, random.split());
        control.prepare();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (Traffic each : traffic) {
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                try {
                    each.run();
                } catch (Throwable failure) {
                    failures.add(failure);
                    end();
                }
            }));
        }
        try {
            control.run(() -> threads.stream().anyMatch(Thread::isAlive));
        } catch (Throwable failure) {
            failures.add(failure);
            end();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        end();
        for (int i = 0; i < 2; i++) {
            place.link(i, true);
        }
        if (failures.isEmpty()) {
            close(traffic);
        } else {
            AssertionError failure = new AssertionError(name, failures.getFirst());
            failures.stream().skip(1).forEach(failure::addSuppressed);
            throw failure;
        }
        counts.count("lives");
    }

    private void close(List<Traffic> traffic) throws VerbsException {
        for (Side side : sides) {
            side.qp.close();
        }
        for (Frozen each : frozen) {
            if (each.memory.memory().mismatch(each.bytes) >= 0) {
                throw new AssertionError(name + ": " + each.memory + " changed after " + each.why);
            }
        }
        for (Traffic each : traffic) {
            each.finish();
        }
        for (Side side : sides) {
            side.close();
        }
    }
}
