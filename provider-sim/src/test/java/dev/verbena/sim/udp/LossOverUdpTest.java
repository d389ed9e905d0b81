package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Sweep;
import dev.verbena.verbs.WorkCompletionStatus;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages of 64 KiB each way between two JVMs, over UDP on links that lose, reorder, repeat and corrupt packets: all come
 * once, in order and unaltered, or the queue pair ends because its retries were truly spent.
 */
@Tag("udp")
class LossOverUdpTest {
    private static final int MESSAGES = 60;
    private static final int MANY_MESSAGES = 2000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    static List<Loopback> places() {
        return Loopback.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("places")
    void everythingArrivesOnceInOrderAndUnaltered(Loopback place) throws Exception {
        check(place, MESSAGES);
    }

    @Tag("sweep")
    @ParameterizedTest(name = "{0}")
    @MethodSource("places")
    void manyMessagesArriveOnceInOrderAndUnaltered(Loopback place) throws Exception {
        check(place, Sweep.amount("udp-messages", MANY_MESSAGES));
    }

    private static void check(Loopback place, int messages) throws Exception {
        Process child = start(place, messages);
        long start = System.nanoTime();
        try (LossPeer peer = new LossPeer(place, 0, messages);
                PrintStream out = new PrintStream(child.getOutputStream(), true, StandardCharsets.UTF_8)) {
            BlockingQueue<String> lines = lines(child.getInputStream());
            String other = next(lines);
            out.println(peer.self());
            peer.connect(other);
            assertThat(next(lines)).isEqualTo("connected");
            out.println("go");
            boolean ended =
                    peer.run(PATIENCE, () -> !lines.isEmpty() && lines.peek().contains("RETRY"));
            assertThat(ended)
                    .as("all messages, or an error, in %s; %s", PATIENCE, peer.outcome())
                    .isTrue();
            out.println(peer.outcome().failedWith());
            // The last acknowledgements may be lost; whoever needs them again gets them.
            assertThat(peer.serve(PATIENCE, () -> !lines.isEmpty())).isTrue();
            LossPeer.Outcome theirs = LossPeer.Outcome.parse(next(lines));
            LossPeer.Outcome ours = peer.outcome();
            out.println("bye");
            System.out.println(place + ", " + messages + " messages each way in "
                    + Duration.ofNanos(System.nanoTime() - start) + ": " + ours + ", " + theirs);
            assertThat(child.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(child.exitValue()).isZero();
            boolean allWell =
                    ours.failedWith().equals("null") && theirs.failedWith().equals("null");
            for (LossPeer.Outcome side : List.of(ours, theirs)) {
                assertThat(side.wrong()).as(side.toString()).isZero();
                if (allWell) {
                    assertThat(side.received()).as(side.toString()).isEqualTo(messages);
                } else if (!side.failedWith().equals("null")) {
                    // Only when the same packet was sent as often as the budget allows.
                    assertThat(side.failedWith()).isEqualTo(WorkCompletionStatus.RETRY_EXCEEDED_ERROR.name());
                    assertThat(side.mostTransmissions()).isGreaterThan(LossPeer.RETRIES);
                }
                assertThat(List.of(side.dropped(), side.delayed(), side.duplicated(), side.corrupted()))
                        .as(side.toString())
                        .allSatisfy(count -> assertThat(count).isPositive());
                assertThat(side.badIcrc()).as(side.toString()).isPositive();
                assertThat(side.retransmitted()).as(side.toString()).isPositive();
            }
        } finally {
            child.destroyForcibly();
        }
    }

    private static Process start(Loopback place, int messages) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        Loopback.isPortable() ? "--illegal-native-access=deny" : "--enable-native-access=ALL-UNNAMED",
                        "-Dverbena.portable=" + Loopback.isPortable(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        Integer.toString(Loopback.all().indexOf(place)),
                        Integer.toString(messages))
                .redirectError(Redirect.INHERIT)
                .start();
    }

    /** Reads lines as they come; an empty one is the end. */
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
        assertThat(line).as("what the other process says").isNotEmpty();
        return line;
    }

    /** The other process. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws Exception {
            Loopback place = Loopback.all().get(Integer.parseInt(arguments[0]));
            BlockingQueue<String> lines = lines(System.in);
            try (LossPeer peer = new LossPeer(place, 1, Integer.parseInt(arguments[1]))) {
                System.out.println(peer.self());
                peer.connect(next(lines));
                System.out.println("connected");
                next(lines);
                peer.run(PATIENCE, () -> !lines.isEmpty() && !lines.peek().equals("null"));
                System.out.println(peer.outcome().format());
                next(lines);
                peer.serve(PATIENCE, () -> !lines.isEmpty());
            }
        }
    }
}
