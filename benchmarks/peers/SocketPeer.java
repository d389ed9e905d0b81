// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Locale;

/**
 * Plain sockets in Java over the loopback, between two threads that spin: the alternative of a program without verbs.
 * Prints lines of name, value and unit. Run by {@code benchmarks/compare}; needs nothing but a JDK.
 */
final class SocketPeer {
    private static final int SMALL = 64;
    private static final int LARGE = 1 << 20;
    private static final int ROUNDS = 9;
    private static final int TRIPS = 4_000;
    private static final int MESSAGES = 400;

    private SocketPeer() {}

    /** One side of a conversation. */
    private interface Side {
        void run() throws IOException;
    }

    public static void main(String[] arguments) throws Exception {
        for (String what : arguments) {
            switch (what) {
                case "tcp-lat" -> tcpLatency();
                case "udp-lat" -> udpLatency();
                case "tcp-bw" -> tcpBandwidth();
                default -> throw new IllegalArgumentException(what + " is not one of tcp-lat, udp-lat, tcp-bw");
            }
        }
    }

    private static void tcpLatency() throws Exception {
        try (Pair pair = Pair.connect()) {
            Thread other = start(() -> {
                ByteBuffer bytes = ByteBuffer.allocateDirect(SMALL);
                for (int i = 0; i < TRIPS * ROUNDS; i++) {
                    readAll(pair.right, bytes.clear());
                    writeAll(pair.right, bytes.flip());
                }
            });
            ByteBuffer bytes = ByteBuffer.allocateDirect(SMALL);
            double[] took = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                long begin = System.nanoTime();
                for (int i = 0; i < TRIPS; i++) {
                    writeAll(pair.left, bytes.clear());
                    readAll(pair.left, bytes.clear());
                }
                took[round] = (System.nanoTime() - begin) / 2e3 / TRIPS;
            }
            other.join();
            print("java_tcp_half_rtt", median(took), "us");
        }
    }

    private static void tcpBandwidth() throws Exception {
        try (Pair pair = Pair.connect()) {
            long all = (long) LARGE * MESSAGES * ROUNDS;
            Thread other = start(() -> {
                ByteBuffer bytes = ByteBuffer.allocateDirect(LARGE);
                for (long got = 0; got < all; ) {
                    got += Math.max(0, pair.right.read(bytes.clear()));
                }
            });
            ByteBuffer bytes = ByteBuffer.allocateDirect(LARGE);
            double[] rate = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                long begin = System.nanoTime();
                for (int i = 0; i < MESSAGES; i++) {
                    writeAll(pair.left, bytes.clear());
                }
                rate[round] = (double) LARGE * MESSAGES / (System.nanoTime() - begin);
            }
            other.join();
            print("java_tcp_stream", median(rate), "GB/s");
        }
    }

    private static void udpLatency() throws Exception {
        try (DatagramChannel left = bound("127.0.0.1");
                DatagramChannel right = bound("127.0.0.1")) {
            InetSocketAddress toLeft = (InetSocketAddress) left.getLocalAddress();
            InetSocketAddress toRight = (InetSocketAddress) right.getLocalAddress();
            Thread other = start(() -> {
                ByteBuffer bytes = ByteBuffer.allocateDirect(SMALL);
                for (int i = 0; i < TRIPS * ROUNDS; i++) {
                    receive(right, bytes.clear());
                    right.send(bytes.flip(), toLeft);
                }
            });
            ByteBuffer bytes = ByteBuffer.allocateDirect(SMALL);
            double[] took = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                long begin = System.nanoTime();
                for (int i = 0; i < TRIPS; i++) {
                    left.send(bytes.clear(), toRight);
                    receive(left, bytes.clear());
                }
                took[round] = (System.nanoTime() - begin) / 2e3 / TRIPS;
            }
            other.join();
            print("java_udp_half_rtt", median(took), "us");
        }
    }

    private static DatagramChannel bound(String address) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.bind(new InetSocketAddress(address, 0)).configureBlocking(false);
        return channel;
    }

    private static void receive(DatagramChannel channel, ByteBuffer bytes) throws IOException {
        while (channel.receive(bytes) == null) {
            Thread.onSpinWait();
        }
    }

    private static void readAll(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new IOException("the other side closed");
            }
        }
    }

    private static void writeAll(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static Thread start(Side side) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                side.run();
            } catch (IOException e) {
                e.printStackTrace();
                System.exit(1);
            }
        });
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static void print(String name, double value, String unit) {
        System.out.printf(Locale.ROOT, "%s %.3f %s%n", name, value, unit);
    }

    /** Two ends of a TCP connection, neither of which blocks. */
    private record Pair(SocketChannel left, SocketChannel right) implements AutoCloseable {
        static Pair connect() throws IOException {
            try (ServerSocketChannel listener = ServerSocketChannel.open()) {
                listener.bind(new InetSocketAddress("127.0.0.1", 0));
                SocketChannel left = SocketChannel.open(listener.getLocalAddress());
                SocketChannel right = listener.accept();
                for (SocketChannel each : new SocketChannel[] {left, right}) {
                    each.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
                }
                return new Pair(left, right);
            }
        }

        @Override
        public void close() throws IOException {
            left.close();
            right.close();
        }
    }
}
