// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * A stranger, that is an unknown client, sends random bytes for {@code -Dverbena.fuzz.minutes=10} or {@link #USUAL}. A good
 * client must be served before, meanwhile and afterwards. {@code -Dverbena.fuzz.seed=N} repeats the choices of a run, but
 * not the times of its threads.
 */
public final class Fuzz implements AutoCloseable {
    private static final Duration USUAL = Duration.ofMillis(1500);
    private static final Duration BETWEEN_GOOD = Duration.ofMillis(400);
    private static final int MOST_OPEN = 100;
    private static final int LONGEST_FLOOD = 1 << 16;
    private static final long MOST_HEAP = 64L << 20;

    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    private final String name;
    private final long seed = Long.getLong("verbena.fuzz.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Deque<SocketChannel> open = new ArrayDeque<>();
    private final List<Throwable> uncaught = Collections.synchronizedList(new ArrayList<>());
    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();

    /** Prints the seed. */
    public Fuzz(String name) {
        this.name = name;
        System.out.println("fuzz of " + name + ": -Dverbena.fuzz.seed=" + seed);
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
    }

    public Random random() {
        return random;
    }

    /**
     * Runs the stranger until the time ends.
     *
     * @param stranger one action of the stranger
     * @param good the good client, which fails if it is not served
     * @param threads names of threads that must stay alive
     */
    public void run(Action stranger, Action good, String... threads) throws Exception {
        good.run();
        List<Thread> living = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> List.of(threads).contains(thread.getName()))
                .toList();
        assertThat(living).hasSizeGreaterThanOrEqualTo(threads.length);
        long heap = heap();
        String minutes = System.getProperty("verbena.fuzz.minutes");
        long time = minutes == null
                ? USUAL.toNanos()
                : (long) (Double.parseDouble(minutes) * Duration.ofMinutes(1).toNanos());
        long end = System.nanoTime() + time;
        long nextGood = System.nanoTime() + BETWEEN_GOOD.toNanos();
        long actions = 0;
        for (long now = System.nanoTime(); end - now > 0; now = System.nanoTime()) {
            stranger.run();
            actions++;
            if (now - nextGood > 0) {
                good.run();
                nextGood = System.nanoTime() + BETWEEN_GOOD.toNanos();
            }
        }
        good.run();
        close();
        good.run();
        assertThat(uncaught).isEmpty();
        assertThat(living).allMatch(Thread::isAlive);
        assertThat(heap() - heap).as("heap that the stranger has filled").isLessThan(MOST_HEAP);
        System.out.println("fuzz of " + name + ": " + actions + " actions");
    }

    private static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Connects as a stranger that sends a modified message, floods, disconnects, or sends nothing. */
    public void callAt(SocketAddress address, List<byte[]> messages) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        open.add(channel);
        if (open.size() > MOST_OPEN) {
            open.remove().close();
        }
        try {
            // Most connections are reset at the end: in TIME_WAIT for a minute each, they would use up the ports of a
            // long run.
            if (channel.supportedOptions().contains(StandardSocketOptions.SO_LINGER) && random.nextInt(16) != 0) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.configureBlocking(false);
            switch (random.nextInt(8)) {
                case 0 -> channel.close();
                case 1 -> channel.shutdownOutput();
                case 2 -> channel.write(ByteBuffer.wrap(bytes(random.nextInt(LONGEST_FLOOD))));
                case 3 -> {
                    channel.write(ByteBuffer.wrap(mutated(messages)));
                    channel.close();
                }
                case 4 -> {
                    // The stranger sends nothing.
                }
                default -> {
                    for (int i = random.nextInt(4); i >= 0; i--) {
                        channel.write(ByteBuffer.wrap(mutated(messages)));
                    }
                }
            }
        } catch (IOException hungUp) {
            // The server may close the connection at any time.
        }
    }

    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A modified copy of one of the messages: bytes are replaced, inserted, removed or repeated, or the end is cut off. */
    public byte[] mutated(List<byte[]> messages) {
        byte[] message = messages.get(random.nextInt(messages.size()));
        for (int i = random.nextInt(4); i > 0 && message.length > 0; i--) {
            int at = random.nextInt(message.length);
            int length = 1 + random.nextInt(Math.min(8, message.length - at));
            message = switch (random.nextInt(5)) {
                case 0 -> spliced(message, at, at + length, bytes(length));
                case 1 -> spliced(message, at, at, bytes(length));
                case 2 -> spliced(message, at, at + length, new byte[0]);
                case 3 -> spliced(message, at, at, Arrays.copyOfRange(message, at, at + length));
                default -> Arrays.copyOf(message, at);
            };
        }
        return message;
    }

    private static byte[] spliced(byte[] message, int from, int to, byte[] middle) {
        return ByteBuffer.allocate(message.length - (to - from) + middle.length)
                .put(message, 0, from)
                .put(middle)
                .put(message, to, message.length - to)
                .array();
    }

    /** Ends the stranger's connections. */
    @Override
    public void close() throws IOException {
        Thread.setDefaultUncaughtExceptionHandler(before);
        for (SocketChannel each : open) {
            each.close();
        }
        open.clear();
    }
}
