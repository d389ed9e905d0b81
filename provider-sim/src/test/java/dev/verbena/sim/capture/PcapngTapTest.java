// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.capture;

import static dev.verbena.sim.fabric.Ports.gid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.Ports;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.pcapng.PcapngWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapngTapTest {
    private static final long START_NANOS = VirtualRuntime.START.getEpochSecond() * 1_000_000_000L;

    private final VirtualRuntime runtime = new VirtualRuntime(1);

    @TempDir
    private Path folder;

    @Test
    void theFileHoldsEveryPacketWithItsSenderAndItsTime() throws Exception {
        Path file = folder.resolve("run.pcapng");
        runtime.await(() -> false, Duration.ofNanos(77));
        try (PcapngTap tap = PcapngTap.open(file, runtime)) {
            TappedFabric fabric = new TappedFabric(new InProcessFabric(runtime), runtime, tap);
            FabricPort zero = Ports.attach(fabric, 0, SimPacket::release);
            FabricPort one = Ports.attach(fabric, 1, SimPacket::release);
            Ports.attach(fabric, 2, SimPacket::release);
            zero.send(Ports.packet(zero, gid(0), gid(1), 10, 100));
            runtime.await(() -> false, Duration.ofNanos(23));
            one.send(Ports.packet(one, gid(1), gid(0), 11, 0));
            zero.send(Ports.packet(zero, gid(0), gid(2), 12, 4096));
            assertThat(tap.written()).isEqualTo(3);
        }
        assertThat(read(file))
                .containsExactly(
                        "interface 0 is sim0",
                        "interface 0 at +77 psn 10 payload 100",
                        "interface 1 is sim1",
                        "interface 1 at +100 psn 11 payload 0",
                        "interface 0 at +100 psn 12 payload 4096");
    }

    @Test
    void sentAndSurvivingPacketsAreTheTwoDirectionsOfOneFile() throws Exception {
        Path file = folder.resolve("both.pcapng");
        try (PcapngTap tap = PcapngTap.open(file, runtime)) {
            Fabric survived = new TappedFabric(new InProcessFabric(runtime), runtime, tap.survived());
            FaultPlan losesEleven = FaultPlan.builder()
                    .rule(LinkRule.always(packet -> packet.psn() == 11, Verdict.DROP))
                    .rule(LinkRule.always(packet -> packet.psn() == 12, new Verdict.Duplicate(1)))
                    .build();
            Fabric sent = new TappedFabric(new FaultyFabric(survived, losesEleven, runtime), runtime, tap);
            FabricPort zero = Ports.attach(sent, 0, SimPacket::release);
            Ports.attach(sent, 1, SimPacket::release);
            for (int psn = 10; psn <= 12; psn++) {
                zero.send(Ports.packet(zero, gid(0), gid(1), psn, 1));
            }
            assertThat(tap.written()).isEqualTo(6);
        }
        assertThat(read(file))
                .containsExactly(
                        "interface 0 is sim0",
                        "interface 0 at +0 psn 10 payload 1",
                        "interface 1 is sim1",
                        "interface 1 at +0 psn 10 payload 1 inbound",
                        "interface 0 at +0 psn 11 payload 1",
                        "interface 0 at +0 psn 12 payload 1",
                        "interface 1 at +0 psn 12 payload 1 inbound",
                        "interface 1 at +0 psn 12 payload 1 inbound");
    }

    /** Walks through the blocks of a little-endian pcapng file, with numbers from the draft, not from the writer. */
    private static List<String> read(Path file) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<String> blocks = new ArrayList<>();
        int interfaces = 0;
        while (in.hasRemaining()) {
            int start = in.position();
            int type = in.getInt();
            int length = in.getInt();
            assertThat(in.getInt(start + length - 4))
                    .as("the length again at the end")
                    .isEqualTo(length);
            switch (type) {
                case 0x0a0d0d0a -> assertThat(in.getInt()).isEqualTo(0x1a2b3c4d);
                case 1 -> {
                    in.position(start + 16);
                    assertThat(in.getShort()).as("if_name").isEqualTo((short) 2);
                    byte[] name = new byte[in.getShort()];
                    in.get(name);
                    blocks.add("interface " + interfaces++ + " is " + new String(name, StandardCharsets.UTF_8));
                }
                case 6 -> {
                    int number = in.getInt();
                    long time = ((long) in.getInt() << 32) | (in.getInt() & 0xffff_ffffL);
                    byte[] datagram = new byte[in.getInt()];
                    assertThat(in.getInt()).isEqualTo(datagram.length);
                    in.get(datagram);
                    RocePacket packet = new RocePacket(Arena.ofAuto());
                    MemorySegment.copy(MemorySegment.ofArray(datagram), 0, packet.segment(), 0, datagram.length);
                    assertThat(packet.parse(datagram.length)).isEqualTo(PacketDefect.OK);
                    assertThat(packet.icrcValid()).isTrue();
                    in.position(in.position() + Math.floorMod(-datagram.length, 4));
                    assertThat(in.getShort()).as("epb_flags").isEqualTo((short) 2);
                    assertThat(in.getShort()).isEqualTo((short) 4);
                    int direction = in.getInt() & 3;
                    assertThat(direction).isIn(1, 2);
                    blocks.add("interface " + number + " at +" + (time - START_NANOS) + " psn "
                            + packet.bth().psn() + " payload " + packet.payloadLength()
                            + (direction == 1 ? " inbound" : ""));
                }
                default -> throw new AssertionError("unknown block " + type);
            }
            in.position(start + length);
        }
        return blocks;
    }

    @Test
    void aFailureIsKeptForTheEndAndThePacketsAreCounted() throws Exception {
        FullDisk disk = new FullDisk();
        PcapngTap tap = new PcapngTap(new PcapngWriter(disk), runtime);
        List<SimPacket> arrived = new ArrayList<>();
        TappedFabric fabric = new TappedFabric(new InProcessFabric(runtime), runtime, tap);
        FabricPort sender = Ports.attach(fabric, 0, SimPacket::release);
        Ports.attach(fabric, 1, arrived::add);
        int packets = 200;
        for (int psn = 0; psn < packets; psn++) {
            sender.send(Ports.packet(sender, gid(0), gid(1), psn, 4096));
        }
        runtime.await(() -> false, Duration.ofSeconds(1));
        assertThat(arrived).as("the devices notice nothing").hasSize(packets);
        assertThat(tap.dropped()).isPositive();
        assertThat(tap.written() + tap.dropped()).isEqualTo(packets);
        assertThatIOException().isThrownBy(tap::close).withMessage("no space left on device");
        assertThat(disk.open).isFalse();
        tap.close();
        sender.send(Ports.packet(sender, gid(0), gid(1), packets, 4096));
        assertThat(tap.written() + tap.dropped()).isEqualTo(packets + 1);
    }

    @Test
    void aFailureIsThrownAtTheEndAlsoAfterItHasPassed() throws Exception {
        FullDisk disk = new FullDisk();
        PcapngTap tap = new PcapngTap(new PcapngWriter(disk), runtime);
        TappedFabric fabric = new TappedFabric(new InProcessFabric(runtime), runtime, tap);
        FabricPort sender = Ports.attach(fabric, 0, SimPacket::release);
        for (int psn = 0; tap.dropped() == 0; psn++) {
            sender.send(Ports.packet(sender, gid(0), gid(1), psn, 4096));
        }
        disk.full = false;
        long written = tap.written();
        sender.send(Ports.packet(sender, gid(0), gid(1), 0, 4096));
        assertThat(tap.written()).as("a capture has no holes").isEqualTo(written);
        assertThatIOException().isThrownBy(tap::close).withMessage("no space left on device");
    }

    @Test
    void aFailureAtTheVeryEndIsThrown() {
        PcapngTap tap = new PcapngTap(new PcapngWriter(new FullDisk()), runtime);
        assertThatIOException().isThrownBy(tap::close).withMessage("no space left on device");
    }

    @Test
    void aFileThatCannotBeWrittenIsAnErrorAtOnce() {
        assertThatIOException().isThrownBy(() -> PcapngTap.open(folder, runtime));
    }

    private static final class FullDisk implements WritableByteChannel {
        private boolean open = true;
        private boolean full = true;

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            if (full) {
                throw new IOException("no space left on device");
            }
            int length = bytes.remaining();
            bytes.position(bytes.limit());
            return length;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }
}
