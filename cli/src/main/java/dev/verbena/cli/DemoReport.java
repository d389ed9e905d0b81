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
import dev.verbena.sim.udp.UdpCounter;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.spi.DeviceInfo;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import jakarta.inject.Inject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

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
    private final Optional<UdpFabric> udp;

    @Inject
    DemoReport(
            SimRuntime runtime,
            SimProvider provider,
            FaultyFabric faults,
            Optional<TraceHash> trace,
            Optional<UdpFabric> udp) {
        this.runtime = runtime;
        this.provider = provider;
        this.faults = faults;
        this.trace = trace;
        this.udp = udp;
    }

    /** Prints everything. */
    void print(DemoOutcome outcome, PrintWriter out) throws VerbsException {
        digests(outcome.digests()).print(out);
        legs(outcome.put(), outcome.get()).print(out);
        messages(outcome.initiator(), outcome.target()).print(out);
        completions(outcome.initiator(), outcome.target()).print(out);
        credits(outcome).print(out);
        printDevices(out);
        if (trace.isPresent()) {
            trace(trace.get()).print(out);
        }
        out.flush();
    }

    /** Prints what the initiator's process knows. */
    void printInitiator(Digests digests, Leg put, Leg get, PrintWriter out) throws VerbsException {
        digests(digests).print(out);
        legs(put, get).print(out);
        printDevices(out);
        out.flush();
    }

    /** Prints what the target's process knows. */
    void printTarget(String stored, PrintWriter out) throws VerbsException {
        new Table().row("SHA-256 of what B keeps", stored).print(out);
        printDevices(out);
        out.flush();
    }

    private void printDevices(PrintWriter out) throws VerbsException {
        packets().print(out);
        if (udp.isPresent()) {
            sockets(udp.get()).print(out);
        }
        faults().print(out);
    }

    private static Table sockets(UdpFabric fabric) {
        Table table = new Table().row("sockets", "count");
        for (UdpCounter counter : UdpCounter.values()) {
            if (fabric.count(counter) != 0) {
                table.row(counter.label(), fabric.count(counter));
            }
        }
        return table;
    }

    private static Table digests(Digests digests) {
        return new Table()
                .row("SHA-256 of the source", digests.source())
                .row("of what B keeps", digests.stored())
                .row("of what A fetched back", digests.fetched())
                .row("", digests.agree() ? "all three agree" : "THEY DIFFER");
    }

    private Table legs(Leg put, Leg get) {
        Table table = runtime.isVirtual()
                ? new Table().row("", "bytes", "virtual seconds", "GB/s (virtual)", "wall seconds")
                : new Table().row("", "bytes", "seconds", "GB/s");
        leg(table, "PUT A -> B", put);
        leg(table, "GET A <- B", get);
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
        List<String> header = new ArrayList<>(List.of("device counters"));
        List<DeviceCounters> devices = new ArrayList<>();
        for (DeviceInfo device : provider.devices()) {
            header.add(device.name());
            devices.add(provider.counters(device.name()));
        }
        Table table = new Table().row(header.toArray(String[]::new));
        for (Counter counter : Counter.values()) {
            long[] counts =
                    devices.stream().mapToLong(device -> device.get(counter)).toArray();
            if (ALWAYS.contains(counter) || LongStream.of(counts).sum() != 0) {
                table.row(counter.label(), counts);
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
