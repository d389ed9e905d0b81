// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.cli.output.Table;
import dev.verbena.cli.transfer.DemoOutcome.Digests;
import dev.verbena.cli.transfer.DemoOutcome.Leg;
import dev.verbena.lnd.O2ibStatistics;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.verbs.VerbsRuntime;
import dev.verbena.verbs.WorkCompletionStatus;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Prints the tables of a demo, for devices of any provider. */
final class DemoTables {
    private static final double NANOS_PER_SECOND = 1e9;

    private final VerbsRuntime runtime;

    /** Creates tables for a demo's results. In virtual time, a demo's tables also show wall-clock times. */
    DemoTables(VerbsRuntime runtime) {
        this.runtime = runtime;
    }

    void print(DemoOutcome outcome, PrintWriter out) {
        print(outcome.digests(), outcome.put(), outcome.get(), out);
        messages(outcome.initiator(), outcome.target()).print(out);
        completions(outcome.initiator(), outcome.target()).print(out);
        credits(outcome).print(out);
    }

    void print(Digests digests, Leg put, Leg get, PrintWriter out) {
        digests(digests).print(out);
        legs(put, get).print(out);
    }

    private static Table digests(Digests digests) {
        return new Table()
                .row("SHA-256 of the source", digests.source())
                .row("of the copy of B", digests.stored())
                .row("of the data that A fetched", digests.fetched())
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

    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.6f", time.toNanos() / NANOS_PER_SECOND);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
