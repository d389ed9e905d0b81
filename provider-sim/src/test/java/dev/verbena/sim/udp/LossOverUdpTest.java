// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.Probability;
import dev.verbena.sim.fixture.Sweep;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages of 64 KiB in both directions between two JVMs, over UDP on links that drop, reorder, duplicate and corrupt
 * packets. All messages arrive once, in order and unaltered, or the queue pair fails because its retries were used up
 * by losses.
 */
@Tag("udp")
class LossOverUdpTest {
    private static final Probability USUAL_LOSS = Probability.parse("10%");
    private static final Probability HEAVY_LOSS = Probability.parse("45%");
    private static final int CONNECTIONS = 32;
    private static final int MESSAGES = 64;
    private static final int MANY_MESSAGES = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String FAILED = "failed ";

    static List<Loopback> places() {
        return Loopback.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("places")
    void everythingArrivesOnceInOrderAndUnaltered(Loopback place) throws Exception {
        check(place, USUAL_LOSS, MESSAGES);
    }

    @Tag("sweep")
    @ParameterizedTest(name = "{0}")
    @MethodSource("places")
    void manyMessagesArriveOnceInOrderAndUnaltered(Loopback place) throws Exception {
        check(place, USUAL_LOSS, Sweep.amount("udp-messages", MANY_MESSAGES));
    }

    @Tag("sweep")
    @Test
    void atHighLossQueuePairsFailOnlyAfterTheirRetries() throws Exception {
        assertThat(check(Loopback.ONE_ADDRESS, HEAVY_LOSS, MESSAGES)).isPositive();
    }

    /** Returns the number of connections that failed. */
    private static int check(Loopback place, Probability loss, int total) throws Exception {
        int messages = Math.ceilDiv(total, CONNECTIONS);
        Process child = start(place, loss, messages);
        long start = System.nanoTime();
        try (LossPeer peer = new LossPeer(place, 0, loss, CONNECTIONS, messages);
                PrintStream out = new PrintStream(child.getOutputStream(), true, StandardCharsets.UTF_8)) {
            BlockingQueue<String> lines = lines(child.getInputStream());
            String other = next(lines);
            out.println(peer.self());
            peer.connect(other);
            assertThat(next(lines)).isEqualTo("connected");
            out.println("go");
            assertThat(peer.run(PATIENCE, i -> out.println(FAILED + i), () -> failure(lines)))
                    .as("all messages, or an error, in %s; %s", PATIENCE, peer.outcome())
                    .isTrue();
            // Until the other side has ended, too, it may need repeated acknowledgements.
            out.println("ended");
            assertThat(afterFailures(lines)).isEqualTo("ended");
            out.println("report");
            LossPeer.Outcome theirs = LossPeer.Outcome.parse(next(lines));
            List<LossPeer.End> theirEnds = LossPeer.End.parse(next(lines));
            assertThat(child.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(child.exitValue()).isZero();
            int ended = judge(peer.ends(), theirEnds);
            System.out.println(place + ", " + CONNECTIONS + " times " + messages + " messages each way in "
                    + Duration.ofNanos(System.nanoTime() - start) + ": " + peer.outcome() + ", " + theirs + ", ended: "
                    + ended);
            for (LossPeer.Outcome side : List.of(peer.outcome(), theirs)) {
                assertThat(side.wrong()).as(side.toString()).isZero();
                assertThat(side.received())
                        .as(side.toString())
                        .isBetween((CONNECTIONS - ended) * messages, CONNECTIONS * messages);
                assertThat(List.of(side.dropped(), side.delayed(), side.duplicated(), side.corrupted()))
                        .as(side.toString())
                        .allSatisfy(count -> assertThat(count).isPositive());
                assertThat(side.badIcrc()).as(side.toString()).isPositive();
                assertThat(side.retransmitted()).as(side.toString()).isPositive();
            }
            return ended;
        } finally {
            child.destroyForcibly();
        }
    }

    /**
     * Returns the number of connections that failed. On one side the failure must be just; the other side may have
     * followed.
     */
    private static int judge(List<LossPeer.End> ours, List<LossPeer.End> theirs) {
        int ended = 0;
        for (int i = 0; i < CONNECTIONS; i++) {
            LossPeer.End here = ours.get(i);
            LossPeer.End there = theirs.get(i);
            if (!here.succeeded() || !there.succeeded()) {
                ended++;
                assertThat(here.failedByLosses(there) || there.failedByLosses(here))
                        .as("connection %s: %s, %s", i, here, there)
                        .isTrue();
            }
        }
        return ended;
    }

    /** Takes a report of a failed connection at the other side, if that is the next line. */
    private static @Nullable Integer failure(BlockingQueue<String> lines) {
        String line = lines.peek();
        if (line == null || !line.startsWith(FAILED)) {
            return null;
        }
        lines.remove();
        return Integer.valueOf(line.substring(FAILED.length()));
    }

    /** Returns the next line other than such a report. */
    private static String afterFailures(BlockingQueue<String> lines) throws InterruptedException {
        String line = next(lines);
        while (line.startsWith(FAILED)) {
            line = next(lines);
        }
        return line;
    }

    private static Process start(Loopback place, Probability loss, int messages) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        Loopback.isPortable() ? "--illegal-native-access=deny" : "--enable-native-access=ALL-UNNAMED",
                        "-Dverbena.portable=" + Loopback.isPortable(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        Integer.toString(Loopback.all().indexOf(place)),
                        loss.toString(),
                        Integer.toString(messages))
                .redirectError(Redirect.INHERIT)
                .start();
    }

    /** Reads lines as they arrive; an empty line is the end. */
    private static BlockingQueue<String> lines(InputStream in) {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().name("lines of the other process").start(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    lines.add(line);
                }
                lines.add("");
            } catch (IOException e) {
                lines.add("");
                throw new UncheckedIOException(e);
            }
        });
        return lines;
    }

    private static String next(BlockingQueue<String> lines) throws InterruptedException {
        String line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(line).as("output of the other process").isNotEmpty();
        return line;
    }

    /** The other process. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws Exception {
            Loopback place = Loopback.all().get(Integer.parseInt(arguments[0]));
            BlockingQueue<String> lines = lines(System.in);
            try (LossPeer peer = new LossPeer(
                    place, 1, Probability.parse(arguments[1]), CONNECTIONS, Integer.parseInt(arguments[2]))) {
                System.out.println(peer.self());
                peer.connect(next(lines));
                System.out.println("connected");
                next(lines);
                peer.run(PATIENCE, i -> System.out.println(FAILED + i), () -> failure(lines));
                System.out.println("ended");
                afterFailures(lines);
                next(lines);
                System.out.println(peer.outcome().format());
                System.out.println(LossPeer.End.format(peer.ends()));
            }
        }
    }
}
