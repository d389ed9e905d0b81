// SPDX-License-Identifier: Apache-2.0
import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Aeron between two threads that spin, each with a driver of its own that runs in the thread itself over UDP, or with one idle
 * driver over IPC. Prints lines of name, value and unit. Run by {@code benchmarks/compare}; needs aeron-all.
 */
final class AeronPeer {
    private static final int SMALL = 64;
    private static final int LARGE = 1 << 20;
    private static final int MTU = 4096;
    private static final int TERM = 16 << 20;
    private static final int STREAM = 1;
    private static final int ROUNDS = 9;
    private static final int TRIPS = 20_000;
    private static final int MESSAGES = 100;
    private static final String IPC = "aeron:ipc";

    private AeronPeer() {}

    public static void main(String[] arguments) throws Exception {
        for (String what : arguments) {
            switch (what) {
                case "ipc-lat" -> latency("aeron_ipc_half_rtt", false);
                case "udp-lat" -> latency("aeron_udp_half_rtt", true);
                case "ipc-bw" -> bandwidth("aeron_ipc_1m", false);
                case "udp-bw" -> bandwidth("aeron_udp_1m", true);
                default -> throw new IllegalArgumentException(what + " is not ipc-lat, udp-lat, ipc-bw or udp-bw");
            }
        }
    }

    /** One end: a driver, a client, a way out and a way in. */
    private static final class End implements AutoCloseable {
        private final MediaDriver driver;
        private final boolean ownsDriver;
        private final AgentInvoker invoker;
        private final Aeron aeron;
        private final Publication out;
        private final Subscription in;

        End(MediaDriver driver, boolean udp, String outChannel, int outStream, String inChannel, int inStream) {
            this.driver = driver;
            ownsDriver = udp;
            invoker = udp ? driver.sharedAgentInvoker() : null;
            Aeron.Context context = new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName());
            if (udp) {
                context.driverAgentInvoker(invoker).useConductorAgentInvoker(true);
            }
            aeron = Aeron.connect(context);
            in = aeron.addSubscription(inChannel, inStream);
            out = aeron.addPublication(outChannel, outStream);
        }

        void progress() {
            if (invoker != null) {
                invoker.invoke();
                aeron.conductorAgentInvoker().invoke();
            }
        }

        void send(UnsafeBuffer bytes, int length) {
            while (out.offer(bytes, 0, length) < 0) {
                progress();
            }
            progress();
        }

        int poll(FragmentHandler handler) {
            progress();
            return in.poll(handler, 256);
        }

        boolean isConnected() {
            progress();
            return in.isConnected() && out.isConnected();
        }

        @Override
        public void close() {
            aeron.close();
            if (ownsDriver) {
                driver.close();
            }
        }
    }

    private static MediaDriver driver(ThreadingMode mode) throws Exception {
        Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "aeron-peer");
        return MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(mode)
                .publicationTermBufferLength(TERM)
                .ipcTermBufferLength(TERM)
                .socketSndbufLength(2 << 20)
                .socketRcvbufLength(2 << 20)
                .initialWindowLength(2 << 20)
                .mtuLength(MTU)
                .ipcMtuLength(MTU));
    }

    private interface Use {
        void of(End left, End right) throws Exception;
    }

    private static void over(boolean udp, Use use) throws Exception {
        String there = udp ? freeChannel() : IPC;
        String back = udp ? freeChannel() : IPC;
        int backStream = STREAM + 1;
        MediaDriver shared = udp ? null : driver(ThreadingMode.SHARED);
        try (End left = new End(udp ? driver(ThreadingMode.INVOKER) : shared, udp, there, STREAM, back, backStream);
                End right = new End(udp ? driver(ThreadingMode.INVOKER) : shared, udp, back, backStream, there, STREAM)) {
            while (!left.isConnected() | !right.isConnected()) {
                Thread.onSpinWait();
            }
            use.of(left, right);
        } finally {
            if (shared != null) {
                shared.close();
            }
        }
    }

    private static String freeChannel() throws Exception {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return "aeron:udp?endpoint=127.0.0.1:" + socket.getLocalPort();
        }
    }

    private static void latency(String name, boolean udp) throws Exception {
        over(udp, (left, right) -> {
            int trips = udp ? TRIPS / 4 : TRIPS;
            Thread other = Thread.ofPlatform().daemon().start(() -> {
                UnsafeBuffer bytes = new UnsafeBuffer(new byte[SMALL]);
                int[] echoed = new int[1];
                FragmentHandler echo = (buffer, offset, length, header) -> {
                    bytes.putBytes(0, buffer, offset, length);
                    right.send(bytes, length);
                    echoed[0]++;
                };
                while (echoed[0] < trips * ROUNDS) {
                    right.poll(echo);
                }
                // The last messages have to be sent, too.
                while (left.in.isConnected() && !Thread.interrupted()) {
                    right.progress();
                }
            });
            UnsafeBuffer bytes = new UnsafeBuffer(new byte[SMALL]);
            FragmentHandler ignore = (buffer, offset, length, header) -> {};
            double[] took = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                long begin = System.nanoTime();
                for (int i = 0; i < trips; i++) {
                    left.send(bytes, SMALL);
                    while (left.poll(ignore) == 0) {
                        Thread.onSpinWait();
                    }
                }
                took[round] = (System.nanoTime() - begin) / 2e3 / trips;
            }
            other.interrupt();
            other.join();
            print(name, median(took), "us");
        });
    }

    private static void bandwidth(String name, boolean udp) throws Exception {
        over(udp, (left, right) -> {
            long all = (long) LARGE * MESSAGES * ROUNDS;
            double[] rate = new double[ROUNDS];
            Thread other = Thread.ofPlatform().daemon().start(() -> {
                long[] got = new long[1];
                FragmentHandler count = (buffer, offset, length, header) -> got[0] += length;
                long begin = System.nanoTime();
                for (int round = 0; round < ROUNDS; round++) {
                    while (got[0] < all / ROUNDS * (round + 1)) {
                        right.poll(count);
                    }
                    long now = System.nanoTime();
                    rate[round] = (double) all / ROUNDS / (now - begin);
                    begin = now;
                }
            });
            UnsafeBuffer bytes = new UnsafeBuffer(new byte[LARGE]);
            for (int i = 0; i < MESSAGES * ROUNDS; i++) {
                left.send(bytes, LARGE);
            }
            while (other.isAlive()) {
                left.progress();
            }
            print(name, median(rate), "GB/s");
        });
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static void print(String name, double value, String unit) {
        System.out.printf(Locale.ROOT, "%s %.3f %s%n", name, value, unit);
    }
}
