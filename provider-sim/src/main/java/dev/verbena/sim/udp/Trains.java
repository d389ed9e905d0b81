package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import java.nio.ByteBuffer;

/** What the BTHs of packets in the middle of one message say that go or come one behind the other. */
final class Trains {
    /** Of longer packets the payload is what takes time. */
    private static final int MOST_SMALL = 512;

    private static final int PSN_MASK = 0xff_ffff;
    private static final int ACK_REQUEST = 1 << 31;

    private Trains() {}

    /** Whether other packets may follow on this one in a train. */
    static boolean isBegun(SimPacket packet) {
        return packet.opcode() == Opcode.RC_RDMA_WRITE_MIDDLE;
    }

    /**
     * Whether a packet is a short message that is like others but for its PSN, its place in the peer's memory and its payload, or an
     * acknowledgement that is like others but for what it says.
     */
    static boolean isSmall(SimPacket packet) {
        Opcode opcode = packet.opcode();
        return opcode == Opcode.RC_ACKNOWLEDGE
                || (packet.length() <= MOST_SMALL
                        && (opcode == Opcode.RC_RDMA_WRITE_ONLY || opcode == Opcode.RC_SEND_ONLY));
    }

    /** Whether the packet at an index is so many behind the one at another index, and like it but for its request for an ACK. */
    static boolean follows(ByteBuffer bytes, int first, int index, int distance) {
        return bytes.getLong(index) == bytes.getLong(first)
                && (bytes.getInt(index + Bth.ACK_REQUEST_OFFSET) & ~ACK_REQUEST)
                        == ((bytes.getInt(first + Bth.ACK_REQUEST_OFFSET) + distance) & PSN_MASK);
    }

    /** The last word of a BTH. */
    static int word(int psn, boolean asks) {
        return asks ? psn | ACK_REQUEST : psn;
    }

    /** Whether a packet asks for an acknowledgement. */
    static boolean asks(ByteBuffer bytes, int index) {
        return bytes.getInt(index + Bth.ACK_REQUEST_OFFSET) < 0;
    }
}
