// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.selftest.SelftestProgress.Phase;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tests another node by lnet_selftest. The node that runs the test is both the console and the client of lnet_selftest.
 * The test creates a session on the tested node, adds a test, sends requests, queries the counters, and removes the
 * session. A {@code SelftestRun} executes all its steps in event handlers and timers. Thread-safe.
 */
public final class SelftestRun {

    private static final Duration BEAT = Session.TIMEOUT.dividedBy(4);
    private static final int MOST_COMPLAINTS = 10;
    private static final long HOPELESS = 4;
    private static final long BATCH = 1;

    private final Lnet node;
    private final SelftestPlan plan;
    private final SessionId session;
    private final List<MemorySegment> buffers = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    private Phase phase = Phase.STARTING;
    private int sequence;
    private long requests;
    private int running;
    private long done;
    private long errors;
    private long errorsInARow;
    private long bytes;
    private long began;
    private long ended;
    private long serverErrors = -1;
    private boolean stopping;
    private VerbsRuntime.@Nullable Timer heart;

    private SelftestRun(Lnet node, SelftestPlan plan) {
        this.node = node;
        this.plan = plan;
        session = new SessionId(node.id().nid(), node.newMatchBits());
    }

    /**
     * Starts a test, which continues asynchronously.
     *
     * @param node the node that tests the other node
     * @param plan the parameters of the test
     * @return the test
     * @throws VerbsException {@code ENOMEM} if the node has too little memory for the data of the requests in flight
     */
    public static SelftestRun start(Lnet node, SelftestPlan plan) throws VerbsException {
        SelftestRun run = new SelftestRun(node, plan);
        synchronized (run) {
            run.allocate();
            run.makeSession();
        }
        return run;
    }

    private void allocate() throws VerbsException {
        try {
            for (int i = 0; i < plan.concurrency(); i++) {
                buffers.add(plan.kind() == SelftestPlan.Kind.PING ? MemorySegment.NULL : node.allocate(plan.size()));
            }
        } catch (VerbsException e) {
            free();
            throw e;
        }
    }

    private void free() {
        buffers.stream().filter(buffer -> buffer.byteSize() > 0).forEach(node::free);
        buffers.clear();
    }

    /** {@return a snapshot of the progress of the LNet selftest} */
    public synchronized SelftestProgress progress() {
        long until = phase == Phase.RUNNING ? node.runtime().nanoTime() : ended;
        return new SelftestProgress(new SelftestProgress.Values(
                phase, done, errors, bytes, Duration.ofNanos(until - began), List.copyOf(complaints), serverErrors));
    }

    /** {@return whether the LNet selftest is over and no longer uses the LNet node} */
    public synchronized boolean isOver() {
        return phase == Phase.OVER;
    }

    /** Stops the LNet selftest. The test session is removed after all requests in flight have completed. */
    public synchronized void stop() {
        stopping = true;
    }

    private long bits() {
        return node.newMatchBits();
    }

    private void makeSession() {
        call(new SelftestRequest.MakeSession(bits(), session, plan.force(), "verbena"), result -> {
            if (result.status() == SelftestStatus.OK) {
                addTest();
            } else {
                complain("no session", result);
                over();
            }
        });
    }

    private void addTest() {
        SelftestRequest.BrwParameters parameters = plan.kind() == SelftestPlan.Kind.PING
                ? SelftestRequest.BrwParameters.NONE
                : new SelftestRequest.BrwParameters(
                        plan.kind().opcode(), plan.check().number(), plan.size(), 0);
        int loop = plan.loop() == null ? Integer.MAX_VALUE : plan.loop();
        SelftestRequest test = new SelftestRequest.AddTest(
                bits(),
                0,
                session,
                BATCH,
                plan.kind().service().number(),
                loop,
                plan.concurrency(),
                false,
                plan.stopOnError(),
                0,
                parameters);
        call(test, result -> {
            if (result.status() == SelftestStatus.OK) {
                runTest();
            } else {
                complain("no test", result);
                removeSession();
            }
        });
    }

    private void runTest() {
        phase = Phase.RUNNING;
        began = node.runtime().nanoTime();
        heart = node.runtime().schedule(BEAT, this::beat);
        running = plan.concurrency();
        for (MemorySegment buffer : List.copyOf(buffers)) {
            next(buffer);
        }
    }

    /** Sends a DEBUG request to reset the session's timeout, which the requests of a test do not reset. */
    private synchronized void beat() {
        if (phase == Phase.RUNNING) {
            try {
                call(new SelftestRequest.Debug(bits(), session, 0), result -> {});
            } finally {
                heart = node.runtime().schedule(BEAT, this::beat);
            }
        }
    }

    private boolean isEnough() {
        long most = plan.loop() == null ? Long.MAX_VALUE : (long) plan.loop() * plan.concurrency();
        Duration time = plan.duration();
        return stopping || requests >= most || (time != null && node.runtime().nanoTime() - began >= time.toNanos());
    }

    /** Sends the next request of the selftest with the given buffer, or stops the selftest after its last request. */
    private void next(MemorySegment buffer) {
        if (isEnough()) {
            running--;
            if (running == 0) {
                ended = node.runtime().nanoTime();
                Objects.requireNonNull(heart).cancel();
                askWhatItSaw();
            }
            return;
        }
        requests++;
        if (plan.kind() == SelftestPlan.Kind.PING) {
            ping(buffer);
        } else {
            transfer(buffer);
        }
    }

    private void ping(MemorySegment buffer) {
        Instant now = node.runtime().now();
        int number = sequence++;
        SelftestRequest ping = new SelftestRequest.Ping(
                bits(), SelftestRequest.Ping.MAGIC, number, now.getEpochSecond(), now.getNano());
        call(ping, result -> {
            if (result.reply() instanceof SelftestReply.Ping reply
                    && (reply.magic() != SelftestRequest.Ping.MAGIC || reply.sequence() != number)) {
                count("answered ping " + reply.sequence() + ", not " + number, 0);
            } else {
                count(result, 0);
            }
            next(buffer);
        });
    }

    private void transfer(MemorySegment buffer) {
        boolean reads = plan.kind() == SelftestPlan.Kind.READ;
        if (reads) {
            buffer.fill((byte) 0);
        } else {
            plan.check().fill(buffer, ByteOrder.nativeOrder());
        }
        long answerBits = bits();
        Rpc.Bulk bulk = new Rpc.Bulk(buffer, bits(), reads);
        SelftestRequest brw = new SelftestRequest.Brw(
                answerBits,
                bulk.bits(),
                plan.kind().opcode(),
                plan.size(),
                plan.check().number());
        Rpc.start(node, plan.target(), brw, bulk, result -> {
            long wrong = result.status() == SelftestStatus.OK && reads
                    ? plan.check().firstWrong(buffer, ByteOrder.nativeOrder())
                    : -1;
            synchronized (this) {
                if (wrong >= 0) {
                    count("data read is wrong from byte " + wrong, 0);
                } else {
                    count(result, plan.size());
                }
                next(buffer);
            }
        });
    }

    private void count(Rpc.Result result, long moved) {
        count(result.status() == SelftestStatus.OK ? null : SelftestStatus.describe(result.status()), moved);
    }

    private void count(@Nullable String complaint, long moved) {
        if (complaint == null) {
            done++;
            bytes += moved;
            errorsInARow = 0;
            return;
        }
        errors++;
        errorsInARow++;
        // The test stops after too many errors in a row, because requests to an unreachable node may fail immediately.
        stopping |= plan.stopOnError() || errorsInARow >= HOPELESS * plan.concurrency();
        complain("request " + requests + ": " + complaint);
    }

    private void complain(String what, Rpc.Result result) {
        String who = result.reply() instanceof SelftestReply.MakeSession busy
                        && !busy.session().equals(SessionId.NONE)
                ? "; the node has session \"" + busy.name() + "\" of "
                        + busy.session().console()
                : "";
        complain(what + ": " + SelftestStatus.describe(result.status()) + who);
    }

    private void complain(String what) {
        if (complaints.size() < MOST_COMPLAINTS) {
            complaints.add(plan.target().nid() + ": " + what);
        }
    }

    private void askWhatItSaw() {
        phase = Phase.ENDING;
        call(new SelftestRequest.QueryStat(bits(), session, 0), result -> {
            if (result.reply() instanceof SelftestReply.QueryStat stat && result.status() == SelftestStatus.OK) {
                serverErrors = Integer.toUnsignedLong(stat.framework().brwErrors())
                        + Integer.toUnsignedLong(stat.framework().pingErrors());
            } else {
                complain("no statistics", result);
            }
            removeSession();
        });
    }

    private void removeSession() {
        call(new SelftestRequest.RemoveSession(bits(), session), result -> {
            if (result.status() != SelftestStatus.OK) {
                complain("session not removed", result);
            }
            over();
        });
    }

    private void over() {
        phase = Phase.OVER;
        free();
        node.runtime().wakeUp();
    }

    /**
     * Sends a request without data. {@code ended} gets the result of the RPC, and runs under the lock of this
     * {@code SelftestRun}.
     */
    private void call(SelftestRequest request, Consumer<Rpc.Result> ended) {
        Rpc.start(node, plan.target(), request, null, result -> {
            synchronized (this) {
                ended.accept(result);
            }
        });
    }
}
