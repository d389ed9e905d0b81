// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.capture;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.wire.pcapng.Direction;
import dev.verbena.wire.pcapng.PcapngWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes packets into a pcapng file, with one interface for each device, the direction of each packet, and time stamps of
 * {@link SimRuntime#now()}. {@link #onPacket} records each sent packet as an outbound packet of its sender. The tap from
 * {@link #survived()} records each packet that no fault drops as an inbound packet of its receiver. A file that contains
 * both the sent and the received packets corresponds to the merged captures of all hosts.
 *
 * <p>If a write to the file fails, the devices continue: later packets are only counted, and {@link #close()} throws
 * the first exception. The file is complete only after {@link #close()}.
 */
public final class PcapngTap implements PacketTap, Closeable {
    private static final String ARROW = "->";
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final PcapngWriter writer;
    private final long epochNanosAtZero;

    /**
     * Maps a device name to the number of the device's interface in the pcapng file. To avoid parsing a link name for each
     * packet, the maps {@code senders} and {@code receivers} cache the interface numbers of links.
     */
    private final Map<String, Integer> interfaces = new HashMap<>();

    private final Map<String, Integer> senders = new HashMap<>();
    private final Map<String, Integer> receivers = new HashMap<>();
    private @Nullable IOException failure;
    private boolean closed;
    private long written;
    private long dropped;

    /**
     * Creates a tap that passes packets to a {@link PcapngWriter}.
     *
     * @param writer the {@link PcapngWriter}, which {@link #close()} closes
     * @param runtime the {@link SimRuntime} whose clock supplies the packets' time stamps
     */
    public PcapngTap(PcapngWriter writer, SimRuntime runtime) {
        this.writer = writer;
        Instant now = runtime.now();
        epochNanosAtZero = now.getEpochSecond() * NANOS_PER_SECOND + now.getNano() - runtime.nanoTime();
    }

    /**
     * Creates a tap that writes a pcapng file, which is created or overwritten.
     *
     * @param file the path of the file
     * @param runtime the {@link SimRuntime} whose clock supplies the packets' time stamps
     * @return a new tap, which the caller must close
     * @throws IOException if the file cannot be written
     */
    public static PcapngTap open(Path file, SimRuntime runtime) throws IOException {
        return new PcapngTap(PcapngWriter.open(file), runtime);
    }

    @Override
    public void onPacket(long nanoTime, String link, SimPacket packet) {
        write(nanoTime, link, packet, Direction.OUTBOUND);
    }

    /**
     * Returns a tap for received packets, which writes into the same file as this tap. Pass the returned tap to a {@link
     * TappedFabric}, and wrap the {@link TappedFabric} in a {@code FaultyFabric}.
     *
     * @return a tap that records packets as inbound packets of their receiver
     */
    public PacketTap survived() {
        return (nanoTime, link, packet) -> write(nanoTime, link, packet, Direction.INBOUND);
    }

    private synchronized void write(long nanoTime, String link, SimPacket packet, Direction direction) {
        if (closed || failure != null) {
            dropped++;
            return;
        }
        try {
            writer.write(
                    interfaceOf(link, direction),
                    epochNanosAtZero + nanoTime,
                    packet.segment(),
                    packet.length(),
                    direction,
                    null);
            written++;
        } catch (IOException e) {
            failure = e;
            dropped++;
        }
    }

    private int interfaceOf(String link, Direction direction) throws IOException {
        Map<String, Integer> interfacesOfLinks = direction == Direction.OUTBOUND ? senders : receivers;
        Integer known = interfacesOfLinks.get(link);
        if (known != null) {
            return known;
        }
        int arrow = Math.max(0, link.indexOf(ARROW));
        String device = direction == Direction.OUTBOUND
                ? link.substring(0, arrow)
                : link.substring(Math.min(link.length(), arrow + ARROW.length()));
        Integer number = interfaces.get(device);
        if (number == null) {
            number = writer.addInterface(device);
            interfaces.put(device, number);
        }
        interfacesOfLinks.put(link, number);
        return number;
    }

    /** {@return the number of packets passed to the {@link PcapngWriter}} */
    public synchronized long written() {
        return written;
    }

    /** {@return the number of packets missing in the pcapng file, because a write had failed or the tap was closed} */
    public synchronized long dropped() {
        return dropped;
    }

    /**
     * Completes the file. Closing the tap again has no effect.
     *
     * @throws IOException if this or an earlier write to the file has failed
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        IOException earlier = failure;
        try {
            writer.close();
        } catch (IOException e) {
            if (earlier == null) {
                throw e;
            }
            earlier.addSuppressed(e);
        }
        if (earlier != null) {
            throw earlier;
        }
    }
}
