// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.pcapng;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbena.wire.Captures;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapngWriterTest {
    private static final int COMMENTED_EVERY = 3;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    @Test
    void aSectionHasItsWriterAndEachInterfaceItsName() throws IOException {
        try (PcapngWriter writer = new PcapngWriter(Channels.newChannel(file))) {
            assertThat(writer.addInterface("vbn0")).isZero();
            assertThat(writer.addInterface("Gerät 1")).isEqualTo(1);
        }

        Pcapng read = new Pcapng(file.toByteArray());
        ByteBuffer section = read.section().body();
        assertThat(section.getInt(0)).isEqualTo(0x1a2b3c4d);
        assertThat(section.getShort(4)).isEqualTo((short) 1);
        assertThat(section.getShort(6)).isZero();
        assertThat(section.getLong(8)).isEqualTo(-1);
        assertThat(read.section().text(4)).isEqualTo("Verbena");
        assertThat(read.interfaces()).extracting(block -> block.text(2)).containsExactly("vbn0", "Gerät 1");
        for (Pcapng.Block description : read.interfaces()) {
            assertThat(description.body().getShort(0)).isEqualTo((short) 101);
            assertThat(description.body().getInt(4)).isZero();
            assertThat(description.options().get(9)).containsExactly(9);
        }
        assertThat(read.packets()).isEmpty();
    }

    @Property(tries = 300)
    void writtenBlocksAreReadBack(
            @ForAll @Size(max = 10) List<@Size(max = 100) byte[]> datagrams,
            @ForAll long time,
            @ForAll @StringLength(max = 40) String comment)
            throws IOException {
        file.reset();
        long nanos = time & Long.MAX_VALUE;
        List<Pcapng.Packet> expected = new ArrayList<>();
        try (PcapngWriter writer = new PcapngWriter(Channels.newChannel(file))) {
            writer.addInterface("a");
            writer.addInterface("b");
            for (int i = 0; i < datagrams.size(); i++) {
                byte[] datagram = datagrams.get(i);
                Direction direction = i % 2 == 0 ? Direction.INBOUND : Direction.OUTBOUND;
                String said = i % COMMENTED_EVERY == 0 ? encodable(comment) : null;
                writer.write(i % 2, nanos, MemorySegment.ofArray(datagram), datagram.length, direction, said);
                expected.add(new Pcapng.Packet(i % 2, nanos, boxed(datagram), datagram.length, 1 + i % 2, said));
            }
        }

        assertThat(new Pcapng(file.toByteArray()).packets()).isEqualTo(expected);
    }

    @Test
    void manyLargePacketsAndCommentsPassThroughTheBuffer() throws IOException {
        byte[] datagram = new byte[0xffff];
        new Random(3).nextBytes(datagram);
        String comment = "x".repeat(0xffff);
        try (PcapngWriter writer = new PcapngWriter(Channels.newChannel(file))) {
            writer.addInterface("a");
            for (int i = 0; i < 20; i++) {
                writer.write(0, i, MemorySegment.ofArray(datagram), datagram.length, Direction.INBOUND, comment);
            }
        }

        List<Pcapng.Packet> packets = new Pcapng(file.toByteArray()).packets();
        assertThat(packets).extracting(Pcapng.Packet::nanos).isSorted().hasSize(20);
        assertThat(packets)
                .allMatch(packet -> packet.data().equals(boxed(datagram)) && comment.equals(packet.comment()));
    }

    @Test
    void onlyTheDatagramIsWrittenOfALongerSegment() throws IOException {
        MemorySegment buffer = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7});
        try (PcapngWriter writer = new PcapngWriter(Channels.newChannel(file))) {
            writer.addInterface("a");
            writer.write(0, 1, buffer, 5, Direction.OUTBOUND, null);
        }

        assertThat(new Pcapng(file.toByteArray()).packets().getFirst().data())
                .isEqualTo(boxed(new byte[] {1, 2, 3, 4, 5}));
    }

    @Test
    void wrongArgumentsAreRefusedAndLeaveTheFileAsItWas() throws IOException {
        MemorySegment datagram = MemorySegment.ofArray(new byte[70_000]);
        try (PcapngWriter writer = new PcapngWriter(Channels.newChannel(file))) {
            assertThatThrownBy(() -> writer.write(0, 1, datagram, 10, Direction.INBOUND, null))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            writer.addInterface("a");
            assertThatThrownBy(() -> writer.write(0, 1, datagram, 65_536, Direction.INBOUND, null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("65536");
            assertThatThrownBy(() -> writer.write(0, 1, datagram.asSlice(0, 9), 10, Direction.INBOUND, null))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> writer.write(0, 1, datagram, 10, Direction.INBOUND, "é".repeat(32_768)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("65536 bytes");
            assertThatThrownBy(() -> writer.addInterface("x".repeat(65_536)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("interface name");
        }

        Pcapng read = new Pcapng(file.toByteArray());
        assertThat(read.interfaces()).hasSize(1);
        assertThat(read.packets()).isEmpty();
    }

    @Test
    void aTemporaryFailureOfTheChannelLosesNoPacket() throws IOException {
        FailingChannel channel = new FailingChannel();
        PcapngWriter writer = new PcapngWriter(channel);
        writer.addInterface("a");
        writer.write(0, 1, MemorySegment.ofArray(new byte[100]), 100, Direction.INBOUND, null);
        channel.room = 50;

        assertThatThrownBy(writer::flush).isInstanceOf(IOException.class).hasMessage("no space");

        channel.room = Integer.MAX_VALUE;
        writer.write(0, 2, MemorySegment.ofArray(new byte[10]), 10, Direction.OUTBOUND, null);
        writer.close();
        assertThat(new Pcapng(channel.written.toByteArray()).packets())
                .extracting(Pcapng.Packet::nanos)
                .containsExactly(1L, 2L);
    }

    @Test
    void closingReportsBytesThatCouldNotBeWrittenAndClosesTheChannelOnce() throws IOException {
        FailingChannel channel = new FailingChannel();
        channel.room = 10;
        PcapngWriter writer = new PcapngWriter(channel);

        assertThatThrownBy(writer::close).isInstanceOf(IOException.class).hasMessage("no space");
        writer.close();

        assertThat(channel.closed).isEqualTo(1);
    }

    @Test
    void aPathThatCannotBeWrittenIsAnIoException(@TempDir Path directory) {
        assertThatThrownBy(() -> PcapngWriter.open(directory.resolve("missing").resolve("x.pcapng")))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aFileThatExistsIsReplaced(@TempDir Path directory) throws IOException {
        Path path = directory.resolve("x.pcapng");
        Files.write(path, new byte[10_000]);

        writeCapture(path);

        assertThat(new Pcapng(Files.readAllBytes(path)).packets())
                .hasSize(Captures.datagrams(Captures.file("rping")).size());
    }

    @Test
    void tsharkReadsTheFileAsRoce(@TempDir Path directory) throws IOException, InterruptedException {
        assumeThat(Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(entry -> Files.isExecutable(Path.of(entry, "tshark"))))
                .as("tshark is on the PATH")
                .isTrue();
        Path path = directory.resolve("x.pcapng");
        writeCapture(path);

        Process tshark = new ProcessBuilder(
                        "tshark",
                        "-r",
                        path.toString(),
                        "--disable-protocol",
                        "rpcordma",
                        "-T",
                        "fields",
                        "-e",
                        "infiniband.bth.opcode",
                        "-e",
                        "_ws.malformed")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = tshark.inputReader().lines().toList();

        assertThat(tshark.waitFor()).isZero();
        assertThat(lines).hasSize(Captures.datagrams(Captures.file("rping")).size());
        assertThat(lines).allMatch(line -> line.trim().matches("\\d+"));
    }

    private static void writeCapture(Path path) throws IOException {
        try (PcapngWriter writer = PcapngWriter.open(path)) {
            writer.addInterface("rxe0");
            long nanos = 0;
            for (byte[] datagram : Captures.datagrams(Captures.file("rping"))) {
                writer.write(0, nanos++, MemorySegment.ofArray(datagram), datagram.length, Direction.INBOUND, null);
            }
        }
    }

    /** A lone surrogate has no UTF-8 encoding, so it is written as a question mark. */
    private static String encodable(String text) {
        return text.replaceAll("\\p{Cs}", "?");
    }

    private static List<Byte> boxed(byte[] bytes) {
        List<Byte> boxed = new ArrayList<>();
        for (byte b : bytes) {
            boxed.add(b);
        }
        return boxed;
    }

    /** Accepts {@code room} bytes and then fails, as a full disk does. */
    private static final class FailingChannel implements WritableByteChannel {
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private int room = Integer.MAX_VALUE;
        private int closed;

        @Override
        public int write(ByteBuffer source) throws IOException {
            if (room == 0) {
                throw new IOException("no space");
            }
            byte[] taken = new byte[Math.min(Math.min(room, 30), source.remaining())];
            source.get(taken);
            written.writeBytes(taken);
            room -= taken.length;
            return taken.length;
        }

        @Override
        public boolean isOpen() {
            return closed == 0;
        }

        @Override
        public void close() {
            closed++;
        }
    }
}
