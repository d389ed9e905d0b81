// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints the report of a test like perftest: the settings, the addresses, and a table of results. Not thread-safe. */
public final class PerftestReport {
    private static final String LINE = "-".repeat(87);

    private final PrintWriter out;
    private final Optional<Path> json;
    private final BandwidthUnit unit;
    private final List<PerftestResult> results = new ArrayList<>();

    public PerftestReport(PrintWriter out, Optional<Path> json, BandwidthUnit unit) {
        this.out = out;
        this.json = json;
        this.unit = unit;
    }

    void begin(Device device, PerftestSettings settings, List<PerftestPeer> mine, List<PerftestPeer> theirs)
            throws VerbsException {
        out.println(LINE);
        out.println("                    " + settings.title());
        fact("Device", device.name());
        fact("Number of qps", settings.queuePairs());
        fact("Connection type", settings.type());
        fact("TX depth", settings.sendDepth());
        fact("CQ Moderation", settings.step());
        fact("Mtu", settings.mtu().bytes() + "[B]");
        fact("Link type", device.queryPort(settings.port()).linkLayer());
        fact("Max inline data", settings.inlineSize() + "[B]");
        fact("Data ex. method", "TCP");
        out.println(LINE);
        mine.forEach(each -> out.println(" local address: " + each.describe()));
        out.println(" GID: " + mine.getFirst().endpoint().gid());
        theirs.forEach(each -> out.println(" remote address: " + each.describe()));
        out.println(" GID: " + theirs.getFirst().endpoint().gid());
        out.println(LINE);
        out.println(settings.bandwidth() ? unit.header() : LatencyResult.HEADER);
        out.flush();
    }

    private void fact(String name, Object value) {
        out.println(String.format(" %-16s: %s", name, value));
    }

    void add(PerftestResult result) {
        results.add(result);
        out.println(result.row(unit));
        out.flush();
    }

    /** Returns the average bandwidth of the last test in MiB per second, or 0 before the first test. */
    public double mebibytesPerSecond() {
        return !results.isEmpty() && results.getLast() instanceof BandwidthResult last
                ? last.average(BandwidthUnit.MEBIBYTES)
                : 0;
    }

    void end() throws IOException {
        out.println(LINE);
        out.flush();
        if (json.isPresent()) {
            String all = results.stream().map(result -> result.json(unit)).collect(Collectors.joining(",\n  "));
            Files.writeString(json.get(), "{\"results\": [\n  " + all + "\n]}\n");
        }
    }
}
