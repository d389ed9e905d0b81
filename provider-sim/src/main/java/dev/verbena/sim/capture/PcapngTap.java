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
 * Writes packets into a pcapng file, with one interface for each device, directions, and times as {@link SimRuntime#now()} tells
 * them. It has two sides: the tap itself takes what is sent, outbound at its sender; {@link #survived()} takes what is left
 * behind the faults, inbound at its receiver. Both may write one file, which then is what captures on all hosts would be
 * together; or each a file of its own.
 *
 * <p>Writing never disturbs the devices: the first failure is kept and thrown by {@link #close()}, and what comes after
 * it is dropped and counted. Bytes reach the file in large pieces and at the end, so close the tap.
 */
public final class PcapngTap implements PacketTap, Closeable {
    private static final String ARROW = "->";
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final PcapngWriter writer;
    private final long epochNanosAtZero;

    /** Numbers of interfaces by the device's name, and by link so that no name is cut out of another again. */
    private final Map<String, Integer> interfaces = new HashMap<>();

    private final Map<String, Integer> senders = new HashMap<>();
    private final Map<String, Integer> receivers = new HashMap<>();
    private @Nullable IOException failure;
    private boolean closed;
    private long written;
    private long dropped;

    /**
     * Makes a tap that writes on with a writer.
     *
     * @param writer where packets go; closed by {@link #close()}
     * @param runtime whose calendar the times are in
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
     * @param runtime whose calendar the times are in
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
     * Returns the other side of this tap, for a fabric within the one that does faults.
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
     * Counts the packets in the capture.
     *
     * @return how many were handed to the writer
     */
    public synchronized long written() {
        return written;
    }

    /**
     * Counts the packets that are missing.
     *
     * @return how many came after a failure, or after the tap was closed
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
