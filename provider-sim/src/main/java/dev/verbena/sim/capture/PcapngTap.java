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
 * Writes packets into a pcapng file, with one interface for each device, directions, and times of {@link
 * SimRuntime#now()}. The tap itself records packets that are sent, outbound at their sender. {@link #survived()}
 * records the packets that passed the faults, inbound at their receiver. Both may write one file, which then equals the
 * merged captures of all hosts, or each a file of its own.
 *
 * <p>Writing never disturbs the devices: {@link #close()} throws the first failure, and packets after it are dropped
 * and counted. Bytes are written to the file in large pieces and at the end, so close the tap.
 */
public final class PcapngTap implements PacketTap, Closeable {
    private static final String ARROW = "->";
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final PcapngWriter writer;
    private final long epochNanosAtZero;

    /**
     * Interface numbers by the device's name. In the next two fields by link, so that the name is cut out of a link
     * only once.
     */
    private final Map<String, Integer> interfaces = new HashMap<>();

    private final Map<String, Integer> senders = new HashMap<>();
    private final Map<String, Integer> receivers = new HashMap<>();
    private @Nullable IOException failure;
    private boolean closed;
    private long written;
    private long dropped;

    /**
     * Makes a tap that writes by a writer.
     *
     * @param writer the writer; closed by {@link #close()}
     * @param runtime the runtime with the calendar of the times
     */
    public PcapngTap(PcapngWriter writer, SimRuntime runtime) {
        this.writer = writer;
        Instant now = runtime.now();
        epochNanosAtZero = now.getEpochSecond() * NANOS_PER_SECOND + now.getNano() - runtime.nanoTime();
    }

    /**
     * Makes a tap that writes a file, which is created or overwritten.
     *
     * @param file the file
     * @param runtime the runtime with the calendar of the times
     * @return the tap
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
     * Returns the inbound side of this tap, for a fabric inside the one that injects faults.
     *
     * @return a tap that writes into the same file
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

    /**
     * Returns the number of packets in the capture.
     *
     * @return the packets passed to the writer
     */
    public synchronized long written() {
        return written;
    }

    /**
     * Returns the number of missing packets.
     *
     * @return the packets that came after a failure, or after the tap was closed
     */
    public synchronized long dropped() {
        return dropped;
    }

    /**
     * Completes the file. A second call does nothing.
     *
     * @throws IOException if writing failed, now or earlier
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
