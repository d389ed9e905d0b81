// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.cli.output.Table;
import dev.verbena.cli.transfer.DemoOutcome.Digests;
import dev.verbena.cli.transfer.DemoOutcome.Leg;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.capture.TraceHash;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.sim.fault.FaultKind;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.udp.UdpCounter;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.VerbsException;
import jakarta.inject.Inject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/** Prints the outcome of a demo in tables. */
final class DemoReport {
    /** The names of the counters that are printed even if they are 0. */
    private static final Set<Counter> ALWAYS =
            EnumSet.of(Counter.SENT_PKTS, Counter.RCVD_PKTS, Counter.RETRANSMITTED_PKTS);

    private final SimRuntime runtime;
    private final SimProvider provider;
    private final FaultyFabric faults;
    private final Optional<TraceHash> trace;
    private final Optional<UdpFabric> udp;
    private final DemoTables tables;

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
        tables = new DemoTables(runtime);
    }

    void print(DemoOutcome outcome, PrintWriter out) throws VerbsException {
        tables.print(outcome, out);
        printDevices(out);
        if (trace.isPresent()) {
            trace(trace.get()).print(out);
        }
        out.flush();
    }

    void printInitiator(Digests digests, Leg put, Leg get, PrintWriter out) throws VerbsException {
        tables.print(digests, put, get, out);
        printDevices(out);
        out.flush();
    }

    void printTarget(String stored, PrintWriter out) throws VerbsException {
        new Table().row("SHA-256 of the copy of B", stored).print(out);
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
                .row("virtual seconds", DemoTables.seconds(Duration.ofNanos(runtime.nanoTime())))
                .row("packets", Long.toString(hash.packets()))
                .row("trace hash", hash.hex());
    }
}
