package dev.verbena.cli;

import dev.verbena.cli.DemoOutcome.Digests;
import dev.verbena.cli.DemoOutcome.Leg;
import dev.verbena.lnd.O2ibStatistics;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.capture.TraceHash;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.sim.fault.FaultKind;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import jakarta.inject.Inject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Prints what came of a demo as tables. */
final class DemoReport {
    private static final double NANOS_PER_SECOND = 1e9;
    /** Shown also when they are 0. */
    private static final Set<Counter> ALWAYS =
            EnumSet.of(Counter.SENT_PKTS, Counter.RCVD_PKTS, Counter.RETRANSMITTED_PKTS);

    private final SimRuntime runtime;
    private final SimProvider provider;
    private final FaultyFabric faults;
    private final Optional<TraceHash> trace;

    @Inject
    DemoReport(SimRuntime runtime, SimProvider provider, FaultyFabric faults, Optional<TraceHash> trace) {
        this.runtime = runtime;
        this.provider = provider;
        this.faults = faults;
        this.trace = trace;
    }

    /** Prints everything. */
    void print(DemoOutcome outcome, PrintWriter out) throws VerbsException {
        digests(outcome.digests()).print(out);
        legs(outcome).print(out);
        messages(outcome.initiator(), outcome.target()).print(out);
        completions(outcome.initiator(), outcome.target()).print(out);
        credits(outcome).print(out);
        packets().print(out);
        faults().print(out);
        if (trace.isPresent()) {
            trace(trace.get()).print(out);
        }
        out.flush();
    }

    private static Table digests(Digests digests) {
        return new Table()
                .row("SHA-256 of the source", digests.source())
                .row("of what B keeps", digests.stored())
                .row("of what A fetched back", digests.fetched())
                .row("", digests.agree() ? "all three agree" : "THEY DIFFER");
    }

    private Table legs(DemoOutcome outcome) {
        Table table = runtime.isVirtual()
                ? new Table().row("", "bytes", "virtual seconds", "GB/s (virtual)", "wall seconds")
                : new Table().row("", "bytes", "seconds", "GB/s");
        leg(table, "PUT A -> B", outcome.put());
        leg(table, "GET A <- B", outcome.get());
        return table;
    }

    private void leg(Table table, String name, Leg leg) {
        String bytes = Long.toString(leg.bytes());
        String rate = leg.time().isZero()
                ? "-"
                : number(leg.bytes() / (double) leg.time().toNanos());
        if (runtime.isVirtual()) {
            table.row(name, bytes, seconds(leg.time()), rate, seconds(leg.wall()));
        } else {
            table.row(name, bytes, seconds(leg.time()), rate);
        }
    }

    private static Table messages(O2ibStatistics a, O2ibStatistics b) {
        Table table = new Table().row("messages", "from A", "from B");
        for (MessageType type : MessageType.values()) {
            row(table, type.name(), a.sent(), b.sent(), type);
        }
        return table.row("RDMA writes", a.rdmaWrites(), b.rdmaWrites());
    }

    private static Table completions(O2ibStatistics a, O2ibStatistics b) {
        Table table = new Table().row("completions", "at A", "at B");
        for (WorkCompletionStatus status : WorkCompletionStatus.values()) {
            row(table, status.verbsName(), a.completions(), b.completions(), status);
        }
        return table;
    }

    private static <K> void row(Table table, String name, Map<K, Long> a, Map<K, Long> b, K key) {
        long ofA = a.getOrDefault(key, 0L);
        long ofB = b.getOrDefault(key, 0L);
        if (ofA != 0 || ofB != 0) {
            table.row(name, ofA, ofB);
        }
    }

    private static Table credits(DemoOutcome outcome) {
        Credits a = Credits.of(outcome.initiator());
        Credits b = Credits.of(outcome.target());
        return new Table()
                .row("credits at rest", "of A", "of B")
                .row("held", a.held(), b.held())
                .row("owed by the peer", b.owed(), a.owed())
                .row("queue depth", a.depth(), b.depth())
                .row("", outcome.creditsAreBack() ? "complete" : "SOME ARE MISSING");
    }

    private Table packets() throws VerbsException {
        DeviceCounters a = provider.counters(DevicesModule.A.name());
        DeviceCounters b = provider.counters(DevicesModule.B.name());
        Table table = new Table().row("device counters", DevicesModule.A.name(), DevicesModule.B.name());
        for (Counter counter : Counter.values()) {
            if (ALWAYS.contains(counter) || a.get(counter) + b.get(counter) != 0) {
                table.row(counter.label(), a.get(counter), b.get(counter));
            }
        }
        return table;
    }

    private Table faults() {
        Table table = new Table().row("faults", "count");
        for (FaultKind kind : FaultKind.values()) {
            table.row(kind.name(), Long.toString(faults.count(kind)));
        }
        return table;
    }

    private Table trace(TraceHash hash) {
        return new Table()
                .row("seed", Long.toString(runtime.seed()))
                .row("virtual seconds", seconds(Duration.ofNanos(runtime.nanoTime())))
                .row("packets", Long.toString(hash.packets()))
                .row("trace hash", hash.hex());
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.6f", time.toNanos() / NANOS_PER_SECOND);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
