// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Computes the {@link Icrc} of packets that have the same length and the same IP and UDP headers, except for the IPv4
 * Identification (IP ID). A CRC is linear, so equal IP and UDP headers contribute the same value to the CRC of every
 * packet. This class computes the whole CRC of one packet, and derives the contribution of the IP and UDP headers from it.
 * For each packet after the first, this class computes a CRC only over the bytes from the BTH on. The caller need not write
 * the IP and UDP headers of later packets. The contribution of an IP ID to the CRC depends only on the IP ID and the packet
 * length.
 *
 * <p>From a flow's second packet on, this class is faster than {@link Icrc}. An instance computes without allocating. This
 * class is not thread-safe.
 */
public final class FlowIcrc {
    /** In a GSO batch, the kernel gives the packets the IPv4 Identifications 0, 1, 2, ..., at most 127. */
    private static final int IDENTIFICATIONS = 128;

    private static final int WORD = 4;
    private static final int FLAGS_MASK = 0xffff;
    private static final int BEFORE_CHECKSUM_MASK = 0xffff_0000;
    private static final int BEFORE_CHECKSUM_OFFSET = Ipv4Header.HEADER_CHECKSUM_OFFSET & -WORD;

    private final Icrc icrc = new Icrc();
    private final CRC32 crc = new CRC32();
    private final ByteBuffer headers = ByteBuffer.allocate(Ipv6Header.LENGTH + UdpHeader.LENGTH);
    /** Element i is the contribution of IPv4 Identification i to a packet's CRC; valid if {@code known[i]} is true. */
    private final int[] shares = new int[IDENTIFICATIONS];

    private final boolean[] known = new boolean[IDENTIFICATIONS];

    /** The IP and UDP headers' contribution to the CRC, for IPv4 Identification 0; valid if {@link #shareKnown} is true. */
    private int share;

    private boolean shareKnown;
    private boolean ipv6;
    private int length;

    /** Creates an ICRC calculator; {@link #headers} must be called before use. */
    public FlowIcrc() {}

    /**
     * Sets the IP and UDP headers that the next calls of {@link #compute} use.
     *
     * @param packet a packet with IP and UDP headers and a length; {@code headers} does not read its other bytes
     */
    public void headers(RocePacket packet) {
        int bth = packet.bthOffset();
        ByteBuffer bytes = packet.crcView();
        boolean sameLength = packet.length() - bth == length && packet.ipv6() == ipv6;
        boolean same = sameLength;
        ipv6 = packet.ipv6();
        length = packet.length() - bth;
        for (int i = 0; i < bth; i += WORD) {
            int word = bytes.getInt(i) & mask(i);
            same &= word == (headers.getInt(i) & mask(i));
            headers.putInt(i, word);
        }
        shareKnown &= same;
        if (!sameLength) {
            Arrays.fill(known, false);
        }
    }

    /** Returns a mask for one header word. A 1 in the mask marks a header bit that is equal in all packets of the flow. */
    private int mask(int offset) {
        if (ipv6) {
            return -1;
        }
        return switch (offset) {
            case Ipv4Header.IDENTIFICATION_OFFSET -> FLAGS_MASK;
            case BEFORE_CHECKSUM_OFFSET -> BEFORE_CHECKSUM_MASK;
            default -> -1;
        };
    }

    /**
     * Computes the ICRC of a packet with the IP and UDP headers that were set.
     *
     * @param identification the 16-bit IPv4 Identification; ignored for IPv6
     * @param body a buffer with the packet's bytes, preferably direct; position and limit do not change
     * @param bthOffset the index of the BTH in the buffer
     * @return the ICRC of the packet
     * @throws IndexOutOfBoundsException if a part of the packet lies outside of {@code body}
     */
    public int compute(int identification, ByteBuffer body, int bthOffset) {
        if (identification >= IDENTIFICATIONS || body.get(bthOffset + Bth.FECN_OFFSET) != 0) {
            return whole(identification, body, bthOffset);
        }
        int position = body.position();
        int limit = body.limit();
        crc.reset();
        crc.update(body.limit(bthOffset + length - Icrc.LENGTH).position(bthOffset));
        body.limit(limit).position(position);
        int behind = (int) crc.getValue();
        int change = shareOf(identification);
        if (!shareKnown) {
            share = behind ^ change ^ whole(identification, body, bthOffset);
            shareKnown = true;
        }
        return behind ^ change ^ share;
    }

    private int shareOf(int identification) {
        if (!known[identification]) {
            int behind = Ipv4Header.LENGTH - Ipv4Header.IDENTIFICATION_OFFSET + UdpHeader.LENGTH + length - Icrc.LENGTH;
            shares[identification] = ipv6 ? 0 : CrcShift.difference(identification << Short.SIZE, behind);
            known[identification] = true;
        }
        return shares[identification];
    }

    private int whole(int identification, ByteBuffer body, int bthOffset) {
        if (!ipv6) {
            headers.putShort(Ipv4Header.IDENTIFICATION_OFFSET, (short) identification);
        }
        return icrc.compute(headers, 0, body, bthOffset, length);
    }
}
