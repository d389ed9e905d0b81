// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.Checks;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.perftest.BandwidthUnit;
import dev.verbena.cli.perftest.PerftestSettings;
import dev.verbena.cli.perftest.PerftestVerb;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.GidSelector;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The measurement options of {@code verbena perftest}. The defaults of the options depend on the test. */
final class PerftestOptions {
    private static final int USUAL_BANDWIDTH_SIZE = 65_536;
    private static final int USUAL_LATENCY_SIZE = 2;
    private static final int ATOMIC_SIZE = 8;
    private static final int LARGEST_EXPONENT = 23;
    private static final int USUAL_ITERATIONS = 1000;
    private static final int USUAL_WRITE_ITERATIONS = 5000;
    private static final int USUAL_DEPTH = 128;
    private static final int USUAL_MODERATION = 100;

    /** MSG_SIZE_CQ_MOD_LIMIT of perftest, in bytes. By default, each message above this size has its own completion. */
    private static final int MAX_MODERATED_SIZE = 8192;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            description = "The message size in bytes. The default is 65536 for bandwidth tests and 2 for latency tests."
                    + " The size of an atomic is always 8 bytes.")
    private @Nullable Integer size;

    @Option(
            names = {"-a", "--all"},
            description = "Run one test for each message size from 2 to 8388608.")
    private boolean all;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "ITERS",
            description = OptionTexts.ITERATIONS + " Default: 1000; for write-bw, 5000.")
    private @Nullable Integer iterations;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            description = "The duration of a test. It cannot be combined with --iters.")
    private @Nullable Integer duration;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "DEPTH",
            description = "The number of outstanding requests. Default: 128 for bandwidth, 1 for latency.")
    private @Nullable Integer sendDepth;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "DEPTH",
            description = OptionTexts.RECEIVE_DEPTH + " For tests of SEND. Default: 512.")
    private int receiveDepth = 512;

    @Option(
            names = {"-q", "--qp"},
            paramLabel = "NUM",
            description = "The number of queue pairs in bandwidth tests. Default: 1.")
    private int queuePairs = 1;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "SIZE",
            converter = PingPongCommand.MtuOption.Converter.class,
            description = OptionTexts.MTU + " Default: that of the port.")
    private @Nullable PathMtu mtu;

    @Option(
            names = {"-c", "--connection"},
            paramLabel = "TYPE",
            description = "RC or UC. Default: RC.")
    private QpType type = QpType.RC;

    @Option(
            names = {"-e", "--events"},
            description = "Wait for CQ events. Default: poll the CQ.")
    private boolean events;

    @Option(
            names = {"-I", "--inline_size"},
            paramLabel = "SIZE",
            description = "Messages up to this size are sent inline. Default: 0.")
    private int inlineSize;

    @Option(
            names = {"-l", "--post_list"},
            paramLabel = "NUM",
            description = "The number of requests in one post. Default: 1.")
    private int postList = 1;

    @Option(
            names = {"-Q", "--cq-mod"},
            paramLabel = "NUM",
            description = "The maximum number of requests per completion in bandwidth tests. A number below --post_list"
                    + " is raised to --post_list. Default: 100. For messages over 8192 bytes, the default of"
                    + " --cq-mod is 1, unless --all or --events is given.")
    private @Nullable Integer cqModeration;

    @Option(
            names = {"-b", "--bidirectional"},
            description = "In bandwidth tests, both the client and the server send.")
    private boolean bidirectional;

    @Option(
            names = {"-u", "--qp-timeout"},
            paramLabel = "CODE",
            description = "The ACK timeout of RC: 4.096 us * 2^CODE, 1 to 31. Default: 14.")
    private int ackTimeout = 14;

    @Option(
            names = {"-x", "-g", "--gid-index"},
            paramLabel = "INDEX",
            description = OptionTexts.GID_INDEX)
    private @Nullable Integer gidIndex;

    @Option(names = "--report_gbits", description = "Report bandwidth in Gb/sec instead of MiB/sec.")
    private boolean gigabits;

    @Option(
            names = {"-F", "--CPU-freq"},
            description = "Accepted for compatibility. The frequency of the processors is not checked.")
    @SuppressWarnings("UnusedVariable") // Command lines of perftest may contain `--CPU-freq`.
    private boolean ignoresFrequency;

    BandwidthUnit unit() {
        return gigabits ? BandwidthUnit.GIGABITS : BandwidthUnit.MEBIBYTES;
    }

    Optional<String> complaint(PerftestVerb verb, boolean bandwidth, boolean rdmaCm) {
        if (rdmaCm && (type != QpType.RC || mtu != null)) {
            return Optional.of("--rdma_cm connects RC only, and chooses the path MTU; omit --connection and --mtu");
        }
        if (!bandwidth && (queuePairs != 1 || postList != 1 || bidirectional)) {
            return Optional.of(
                    "--qp, --post_list and --bidirectional are for bandwidth; a latency test has one message");
        }
        if (type != QpType.RC && type != QpType.UC) {
            return Optional.of("--connection " + type + " is not supported; use RC or UC");
        }
        if (type == QpType.UC && verb != PerftestVerb.SEND && verb != PerftestVerb.WRITE) {
            return Optional.of("--connection UC has no " + verb + "; use RC");
        }
        if (verb == PerftestVerb.ATOMIC && (all || size != null && size != ATOMIC_SIZE)) {
            return Optional.of("the size of an atomic is 8 bytes; omit --size and --all");
        }
        if (all && size != null || iterations != null && duration != null) {
            return Optional.of("--all or --size, and --iters or --duration; not both");
        }
        int depth = sendDepth(bandwidth);
        return Checks.firstOf(List.of(
                Checks.range("--size", size, 1, 1 << 30),
                Checks.range("--iters", iterations, 1, Integer.MAX_VALUE / 2),
                Checks.range("--duration", duration, 1, 1 << 20),
                Checks.range("--tx-depth", depth, 1, 1 << 15),
                Checks.range("--rx-depth", receiveDepth, 1, 1 << 15),
                Checks.range("--qp", queuePairs, 1, 1 << 14),
                Checks.range("--post_list", postList, 1, depth),
                Checks.range("--cq-mod", cqModeration, 1, 1 << 15),
                Checks.range("--inline_size", inlineSize, 0, 1 << 15),
                Checks.range("--qp-timeout", ackTimeout, 1, 31),
                Checks.range("--gid-index", gidIndex, 0, 0xFFFF)));
    }

    private int sendDepth(boolean bandwidth) {
        return sendDepth != null ? sendDepth : bandwidth ? USUAL_DEPTH : 1;
    }

    PerftestSettings settings(PerftestVerb verb, boolean bandwidth, int port, PathMtu ofPort, Duration patience) {
        List<Integer> sizes = sizes(verb, bandwidth);
        int iterations = iterations(verb, bandwidth);
        // A test cannot have more requests outstanding than it posts in total (perftest's force_dependecies).
        int most = duration == null ? Math.ceilDiv(iterations, postList) * postList : Integer.MAX_VALUE;
        int depth = Math.min(sendDepth(bandwidth), most);
        int receives = verb == PerftestVerb.SEND ? Math.min(receiveDepth, most) : 1;
        return new PerftestSettings(
                verb,
                bandwidth,
                type,
                sizes,
                iterations,
                Optional.ofNullable(duration).map(Duration::ofSeconds),
                queuePairs,
                depth,
                receives,
                postList,
                bandwidth ? Math.min(moderation(sizes), depth) : 1,
                inlineSize,
                bidirectional,
                mtu != null ? mtu : ofPort,
                gidIndex == null ? GidSelector.automatic() : GidSelector.ofIndex(gidIndex),
                AckTimeout.ofCode(ackTimeout),
                events,
                port,
                patience);
    }

    private int moderation(List<Integer> sizes) {
        if (cqModeration != null) {
            return cqModeration;
        }
        return all || events || sizes.getFirst() <= MAX_MODERATED_SIZE ? USUAL_MODERATION : 1;
    }

    private List<Integer> sizes(PerftestVerb verb, boolean bandwidth) {
        if (verb == PerftestVerb.ATOMIC) {
            return List.of(ATOMIC_SIZE);
        }
        if (all) {
            return IntStream.rangeClosed(1, LARGEST_EXPONENT)
                    .mapToObj(exponent -> 1 << exponent)
                    .toList();
        }
        return List.of(size != null ? size : bandwidth ? USUAL_BANDWIDTH_SIZE : USUAL_LATENCY_SIZE);
    }

    private int iterations(PerftestVerb verb, boolean bandwidth) {
        if (iterations != null) {
            return iterations;
        }
        return bandwidth && verb == PerftestVerb.WRITE ? USUAL_WRITE_ITERATIONS : USUAL_ITERATIONS;
    }
}
