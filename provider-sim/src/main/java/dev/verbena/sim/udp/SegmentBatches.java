// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import java.nio.ByteBuffer;

/** Reads and writes the BTH fields that differ between packets of a segment batch (one {@code SimPacket}). */
final class SegmentBatches {
    /** The maximum length of a small packet. Copying the payload takes most of the time to process a large packet. */
    private static final int MOST_SMALL = 512;

    private static final int PSN_MASK = 0xff_ffff;
    private static final int ACK_REQUEST = 1 << 31;

    private SegmentBatches() {}

    /** Returns whether a packet may be the first of a segment batch (one {@code SimPacket} for several packets). */
    static boolean isBegun(SimPacket packet) {
        return packet.opcode() == Opcode.RC_RDMA_WRITE_MIDDLE;
    }

    /**
     * Returns whether a packet is a short message or an acknowledgement. Consecutive short messages or acknowledgements often
     * differ only in PSN, remote address and payload, or in PSN and AETH.
     */
    static boolean isSmall(SimPacket packet) {
        Opcode opcode = packet.opcode();
        return opcode == Opcode.RC_ACKNOWLEDGE
                || (packet.length() <= MOST_SMALL
                        && (opcode == Opcode.RC_RDMA_WRITE_ONLY || opcode == Opcode.RC_SEND_ONLY));
    }

    /** Returns whether the PSNs of two BTHs differ by a given distance and all other fields except AckReq are equal. */
    static boolean follows(ByteBuffer bytes, int first, int index, int distance) {
        return bytes.getLong(index) == bytes.getLong(first)
                && (bytes.getInt(index + Bth.ACK_REQUEST_OFFSET) & ~ACK_REQUEST)
                        == ((bytes.getInt(first + Bth.ACK_REQUEST_OFFSET) + distance) & PSN_MASK);
    }

    /** Returns the last 32-bit word of a BTH, which contains the AckReq bit and the PSN. */
    static int word(int psn, boolean asks) {
        return asks ? psn | ACK_REQUEST : psn;
    }

    static boolean asks(ByteBuffer bytes, int index) {
        return bytes.getInt(index + Bth.ACK_REQUEST_OFFSET) < 0;
    }
}
