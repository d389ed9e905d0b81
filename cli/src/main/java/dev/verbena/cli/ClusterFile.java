package dev.verbena.cli;

import dev.verbena.cli.cluster.ClusterDescription;
import dev.verbena.cli.cluster.ClusterDescription.Span;
import dev.verbena.fault.Probability;
import dev.verbena.sim.fabric.LinkProperties;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads the description of a cluster: a YAML mapping of plain values. What is wrong in it is said with the file's name, the line and the key.
 */
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

    /** A value and where it stands. */
    private record Value(Node node, Mark mark) {}

    private final String name;
    private final Map<String, Value> values = new LinkedHashMap<>();

    private ClusterFile(String name) {
        this.name = name;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it describes no cluster; the message says where and why
     */
    static ClusterDescription read(Path file) throws IOException {
        try (Reader reader = Files.newBufferedReader(file)) {
            return read(file.toString(), reader);
        }
    }

    /** The same from text. */
    static ClusterDescription read(String name, Reader text) {
        ClusterFile file = new ClusterFile(name);
        try {
            file.load(new Yaml(new LoaderOptions()).compose(text));
        } catch (MarkedYAMLException e) {
            throw file.wrong(e.getProblemMark(), e.getProblem());
        } catch (YAMLException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
        return file.description();
    }

    private void load(@Nullable Node root) {
        if (root == null) {
            throw new IllegalArgumentException(name + " is empty; write for example 'nodes: 8'");
        }
        if (!(root instanceof MappingNode mapping)) {
            throw wrong(root.getStartMark(), "a description consists of lines such as 'nodes: 8'");
        }
        for (NodeTuple tuple : mapping.getValue()) {
            Mark mark = tuple.getKeyNode().getStartMark();
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw wrong(mark, "a key is a word");
            }
            if (values.put(key.getValue(), new Value(tuple.getValueNode(), mark)) != null) {
                throw wrong(mark, "'" + key.getValue() + "' stands here for the second time");
            }
        }
    }

    private ClusterDescription description() {
        LinkProperties usual = LinkProperties.DEFAULT;
        int nodes = take("nodes", ClusterFile::count, 8L).intValue();
        long seed = take("seed", ClusterFile::count, 1L);
        int peers = take("peers", ClusterFile::count, nodes - 1L).intValue();
        long memory = take("memory", ClusterFile::size, 16L << 20);
        Duration time = take("time", ClusterFile::time, Duration.ofMinutes(1));
        Duration latency = take("latency", ClusterFile::time, usual.latency());
        long rate = take("rate", ClusterFile::rate, usual.bytesPerSecond());
        double loss = take("loss", ClusterFile::chance, 0.0);
        long messages = take("messages", ClusterFile::count, 10_000L);
        double puts = take("puts", ClusterFile::chance, 0.5);
        List<Long> sizes = takeSizes(List.of(64L, 4096L, 65_536L));
        int crashes = take("crashes", ClusterFile::count, 0L).intValue();
        Span outage = take("outage", ClusterFile::span, new Span(Duration.ofSeconds(2), Duration.ofSeconds(60)));
        int partitions = take("partitions", ClusterFile::count, 0L).intValue();
        Span split = take("split", ClusterFile::span, new Span(Duration.ofSeconds(5), Duration.ofSeconds(60)));
        values.forEach((key, value) -> {
            throw wrong(value.mark, "there is no '" + key + "' in a description of a cluster");
        });
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

    private <T> T take(String key, Function<String, T> parser, T usual) {
        Value value = values.remove(key);
        return value == null ? usual : parse(key, value.node, parser);
    }

    private List<Long> takeSizes(List<Long> usual) {
        Value value = values.remove("sizes");
        if (value == null) {
            return usual;
        }
        if (!(value.node instanceof SequenceNode sequence)) {
            return List.of(parse("sizes", value.node, ClusterFile::size));
        }
        List<Long> sizes = new ArrayList<>();
        for (Node element : sequence.getValue()) {
            sizes.add(parse("sizes", element, ClusterFile::size));
        }
        return sizes;
    }

    private <T> T parse(String key, Node node, Function<String, T> parser) {
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong(node.getStartMark(), key + ": one value is wanted");
        }
        try {
            return parser.apply(scalar.getValue());
        } catch (IllegalArgumentException e) {
            throw wrong(node.getStartMark(), key + ": " + e.getMessage());
        }
    }

    private IllegalArgumentException wrong(Mark mark, String what) {
        return new IllegalArgumentException(name + ", line " + (mark.getLine() + 1) + ": " + what);
    }

    private static long count(String text) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && number <= Integer.MAX_VALUE) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
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
            throw new IllegalArgumentException("'" + text + "' is no time; write for example 2us, 5ms, 30s, 10m or 1h");
        }
        return Duration.ofNanos(Long.parseLong(matcher.group(1)) * NANOS.getOrDefault(matcher.group(2), 0L));
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
            throw new IllegalArgumentException("'" + text + "' is no rate; write for example 100Gbps or 900Mbps");
        }
        long megabits = Long.parseLong(matcher.group(1)) * (matcher.group(2).startsWith("g") ? 1000 : 1);
        return megabits * BYTES_PER_MEGABIT;
    }
}
