// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.capture;

import dev.verbena.sim.fabric.SimPacket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The SHA-256 hash of all packets that are sent during a simulation. If two simulations have the same hash, they sent the
 * same bytes on the same simulated links at the same times.
 *
 * <p>The hash includes these fields of each packet, in this order, with big-endian integers:
 *
 * <pre>
 * 8 bytes   time in nanoseconds
 * 4 bytes   length of the link's name in UTF-8, then the name
 * 4 bytes   length of the IP datagram, then the datagram
 * </pre>
 *
 * <p>{@link #hex()} may be called while devices send packets.
 */
public final class TraceHash implements PacketTap {
    private final MessageDigest digest = sha256();
    private final ByteBuffer time = ByteBuffer.allocate(Long.BYTES);
    private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
    private long packets;

    /** Creates a hash that includes no packet yet. */
    public TraceHash() {}

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }

    @Override
    public synchronized void onPacket(long nanoTime, String link, SimPacket packet) {
        byte[] name = link.getBytes(StandardCharsets.UTF_8);
        digest.update(time.putLong(0, nanoTime).array());
        digest.update(length.putInt(0, name.length).array());
        digest.update(name);
        digest.update(length.putInt(0, packet.length()).array());
        digest.update(packet.buffer());
        packets++;
    }

    /** {@return the hash of the packets up to now, 64 hexadecimal digits in lower case} */
    public synchronized String hex() {
        try {
            return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(
                    "the SHA-256 digest of this platform cannot be cloned for an intermediate value", e);
        }
    }

    /** {@return the number of packets that this hash includes so far} */
    public synchronized long packets() {
        return packets;
    }
}
