// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads the captures of kernel rdma_rxe among the test resources: classic pcap files with Ethernet frames. */
public final class Captures {
    private static final int FILE_HEADER_LENGTH = 24;
    private static final int MAGIC_MICROSECONDS = 0xa1b2c3d4;
    private static final int MAGIC_NANOSECONDS = 0xa1b23c4d;
    private static final int ETHERNET_LENGTH = 14;

    private Captures() {}

    /** {@return all captures, ordered by name} */
    public static List<Path> files() {
        try (Stream<Path> paths = Files.walk(directory())) {
            return paths.filter(path -> path.toString().endsWith(".pcap"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the capture of this name, without suffix} */
    public static Path file(String name) {
        return directory().resolve(name + ".pcap");
    }

    /**
     * An IP datagram in a capture.
     *
     * @param bytes its beginning or all of it
     * @param length how many bytes it had on the wire
     */
    public record Captured(byte[] bytes, int length) {
        public boolean isWhole() {
            return bytes.length == length;
        }
    }

    /** {@return the IP datagrams of a capture that are whole; only files of a name that ends with _cut have others} */
    public static List<byte[]> datagrams(Path file) {
        return records(file).stream()
                .filter(Captured::isWhole)
                .map(Captured::bytes)
                .toList();
    }

    /** {@return the IP datagrams of a capture} */
    public static List<Captured> records(Path file) {
        try {
            ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
            int magic = in.getInt();
            if (magic != MAGIC_MICROSECONDS && magic != MAGIC_NANOSECONDS) {
                throw new IOException(file + " is no little-endian pcap file");
            }
            in.position(FILE_HEADER_LENGTH);
            List<Captured> records = new ArrayList<>();
            while (in.hasRemaining()) {
                in.getInt();
                in.getInt();
                int captured = in.getInt();
                int original = in.getInt();
                in.position(in.position() + ETHERNET_LENGTH);
                byte[] datagram = new byte[captured - ETHERNET_LENGTH];
                in.get(datagram);
                records.add(new Captured(datagram, original - ETHERNET_LENGTH));
            }
            return records;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the datagrams of all captures} */
    public static List<byte[]> allDatagrams() {
        return files().stream().flatMap(file -> datagrams(file).stream()).toList();
    }

    private static Path directory() {
        try {
            return Path.of(Captures.class.getResource("/captures").toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
