// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.cluster.ClusterDescription;
import dev.verbena.cli.cluster.ClusterDescription.Span;
import dev.verbena.cli.options.ByteSize;
import dev.verbena.fault.Probability;
import dev.verbena.sim.fabric.LinkProperties;
import java.io.Reader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the configuration of a simulated cluster from a YAML file, and applies the defaults of missing settings. */
final class ClusterFile {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ns|us|ms|s|m|h)");
    private static final Map<String, Long> NANOS = Map.of(
            "ns",
            1L,
            "us",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "h",
            3_600_000_000_000L);
    private static final Pattern RATE = Pattern.compile("(\\d{1,6})(mbps|gbps)");
    private static final long BYTES_PER_MEGABIT = 1_000_000 / 8;

    private ClusterFile() {}

    /**
     * Throws {@link IllegalArgumentException} with the line number and the reason if the file cannot be read or is not a
     * valid cluster configuration.
     */
    static ClusterDescription read(Path file) {
        return describe(file.toString(), YamlSettings.read(file));
    }

    static ClusterDescription read(String name, Reader text) {
        return describe(name, YamlSettings.read(name, text));
    }

    private static ClusterDescription describe(String name, YamlSettings settings) {
        LinkProperties usual = LinkProperties.DEFAULT;
        int nodes = settings.take("nodes", ClusterFile::count, 8);
        int seed = settings.take("seed", ClusterFile::count, 1);
        int peers = settings.take("peers", ClusterFile::count, nodes - 1);
        long memory = settings.take("memory", ClusterFile::size, 16L << 20);
        Duration time = settings.take("time", ClusterFile::time, Duration.ofMinutes(1));
        Duration latency = settings.take("latency", ClusterFile::time, usual.latency());
        long rate = settings.take("rate", ClusterFile::rate, usual.bytesPerSecond());
        double loss = settings.take("loss", ClusterFile::chance, 0.0);
        int messages = settings.take("messages", ClusterFile::count, 10_000);
        double puts = settings.take("puts", ClusterFile::chance, 0.5);
        List<Long> sizes = settings.takeList("sizes", ClusterFile::size, List.of(64L, 4096L, 65_536L));
        int crashes = settings.take("crashes", ClusterFile::count, 0);
        Span outage =
                settings.take("outage", ClusterFile::span, new Span(Duration.ofSeconds(2), Duration.ofSeconds(60)));
        int partitions = settings.take("partitions", ClusterFile::count, 0);
        Span split = settings.take("split", ClusterFile::span, new Span(Duration.ofSeconds(5), Duration.ofSeconds(60)));
        settings.requireEmpty("a description of a cluster");
        try {
            return new ClusterDescription(
                    seed,
                    nodes,
                    peers,
                    memory,
                    time,
                    new LinkProperties(latency, rate, usual.mtu()),
                    loss,
                    messages,
                    puts,
                    sizes,
                    crashes,
                    outage,
                    partitions,
                    split);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    private static int count(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The statement after this catch block throws an exception that contains the invalid value.
        }
        throw new IllegalArgumentException("'" + text + "' is not a whole number from 0 to " + Integer.MAX_VALUE);
    }

    private static long size(String text) {
        return ByteSize.parse(text).bytes();
    }

    private static double chance(String text) {
        return Probability.parse(text).value();
    }

    private static Duration time(String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a time; write for example 2us, 5ms, 30s, 10m or 1h");
        }
        try {
            return Duration.ofNanos(
                    Math.multiplyExact(Long.parseLong(matcher.group(1)), NANOS.getOrDefault(matcher.group(2), 0L)));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is more than 292 years", e);
        }
    }

    private static Span span(String text) {
        int dots = text.indexOf("..");
        return dots < 0
                ? new Span(time(text), time(text))
                : new Span(time(text.substring(0, dots)), time(text.substring(dots + 2)));
    }

    private static long rate(String text) {
        Matcher matcher = RATE.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a rate; write for example 100Gbps or 900Mbps");
        }
        long megabits = Long.parseLong(matcher.group(1)) * (matcher.group(2).startsWith("g") ? 1000 : 1);
        return megabits * BYTES_PER_MEGABIT;
    }
}
