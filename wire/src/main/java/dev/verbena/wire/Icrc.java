// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The invariant CRC (ICRC) of RoCEv2 is an Ethernet CRC-32. The ICRC covers eight bytes of 0xff, followed by the datagram
 * from the IP header to the pad bytes. In the input of the ICRC, each field that may change on the path has all bits set to
 * 1 (InfiniBand Architecture Specification, volume 1, Annex A17). In IPv4, the variable fields are type of service, TTL and
 * header checksum. In IPv6, the variable fields are traffic class, flow label and hop limit. The UDP checksum and byte 4 of
 * the BTH are variable fields, too. The ICRC covers the actual values of all other fields, including the IPv4
 * Identification.
 *
 * <p>The ICRC value is that of {@link CRC32#getValue()}; the packet contains its least significant byte first. An instance
 * computes without allocating. This class is not thread-safe.
 */
public final class Icrc {
    /** The length of the ICRC in bytes. */
    public static final int LENGTH = 4;

    private static final int PREFIX_LENGTH = 8;
    private static final byte ONES = (byte) 0xff;

    /** The offset of the BTH byte with FECN, BECN and reserved bits. */
    private static final int BTH_VARIANT_OFFSET = Bth.FECN_OFFSET;

    private static final int IPV6_NIBBLE = 6;

    private final CRC32 crc = new CRC32();
    private final byte[] scratch = new byte[PREFIX_LENGTH + Ipv6Header.LENGTH + UdpHeader.LENGTH + Bth.LENGTH];

    /** Creates a calculator, which can compute the ICRCs of any number of packets. */
    public Icrc() {}

    /**
     * {@return the correct ICRC of a packet; the packet's own ICRC field is not read}
     *
     * @param packet a parsed packet, or a new packet after the call of {@link RocePacket#payloadLength(int)}
     */
    public int compute(RocePacket packet) {
        return compute(packet.crcView(), 0, packet.length());
    }

    /**
     * {@return the correct ICRC of a datagram in a buffer}
     *
     * @param datagram a buffer with the bytes of the datagram, preferably direct; position and limit do not change
     * @param ipOffset the index of the IP header in the buffer
     * @param length the length in bytes from the IP header to the end of the ICRC; the method does not read the ICRC
     * @throws IllegalArgumentException if a datagram of this length has no room for a BTH and an ICRC
     * @throws IndexOutOfBoundsException if a part of the datagram lies outside of the buffer
     */
    public int compute(ByteBuffer datagram, int ipOffset, int length) {
        int bth = bthOffset(datagram, ipOffset);
        return compute(datagram, ipOffset, datagram, ipOffset + bth, length - bth);
    }

    /**
     * {@return the correct ICRC of a packet in two buffers} One buffer has the IP and UDP headers, and the other buffer
     * has the rest of the packet, from the BTH on.
     *
     * @param headers a packet of the same length, of which the method reads only the IP and UDP headers
     * @param body a buffer with the bytes from the BTH on, preferably direct; position and limit do not change
     * @param bthOffset the index of the BTH in the buffer
     * @param length the length in bytes from the BTH to the end of the ICRC; the method does not read the ICRC
     * @throws IllegalArgumentException if the length is less than that of a BTH and an ICRC
     * @throws IndexOutOfBoundsException if a part of the packet lies outside of {@code headers} or {@code body}
     */
    public int compute(RocePacket headers, ByteBuffer body, int bthOffset, int length) {
        return compute(headers.crcView(), 0, body, bthOffset, length);
    }

    int compute(ByteBuffer headers, int ipOffset, ByteBuffer body, int bthOffset, int length) {
        feedMasked(headers, ipOffset, body, bthOffset, length);
        feed(body, bthOffset + Bth.LENGTH, bthOffset + length - LENGTH);
        return (int) crc.getValue();
    }

    /**
     * Computes the ICRC that rdma_rxe of Linux 6.12 sends and expects in FLUSH requests. The opcode table of rdma_rxe has
     * no payload offset for FLUSH, so rdma_rxe adds the BTH and the extension headers to the CRC twice. In the CRC, the
     * first copy of the BTH has 0xff as byte 4, and the second copy has the actual byte 4.
     *
     * @param packet a parsed FLUSH request, or a new FLUSH request with its headers and payload length set
     * @return the ICRC of rdma_rxe
     */
    public int computeRxeFlush(RocePacket packet) {
        ByteBuffer datagram = packet.crcView();
        int bth = packet.bthOffset();
        int end = packet.length() - LENGTH;
        feedMasked(datagram, 0, datagram, bth, packet.length() - bth);
        feed(datagram, bth + Bth.LENGTH, end);
        feed(datagram, bth, end);
        return (int) crc.getValue();
    }

    private static boolean isIpv6(ByteBuffer headers, int ipOffset) {
        return (headers.get(ipOffset) & 0xff) >>> 4 == IPV6_NIBBLE;
    }

    private static int bthOffset(ByteBuffer headers, int ipOffset) {
        return (isIpv6(headers, ipOffset) ? Ipv6Header.LENGTH : Ipv4Header.LENGTH) + UdpHeader.LENGTH;
    }

    /** Resets the CRC and feeds all bytes up to the end of the BTH, with ones in variable fields. */
    private void feedMasked(ByteBuffer headers, int ipOffset, ByteBuffer body, int bthOffset, int length) {
        boolean ipv6 = isIpv6(headers, ipOffset);
        int bth = bthOffset(headers, ipOffset);
        int udp = bth - UdpHeader.LENGTH;
        if (length < Bth.LENGTH + LENGTH) {
            throw new IllegalArgumentException(
                    "a datagram of " + (bth + length) + " bytes has no room for a BTH and an ICRC");
        }
        headers.get(ipOffset, scratch, PREFIX_LENGTH, bth);
        body.get(bthOffset, scratch, PREFIX_LENGTH + bth, Bth.LENGTH);
        for (int i = 0; i < PREFIX_LENGTH; i++) {
            scratch[i] = ONES;
        }
        if (ipv6) {
            scratch[PREFIX_LENGTH] |= 0x0f;
            mask(1);
            mask(2);
            mask(3);
            mask(Ipv6Header.HOP_LIMIT_OFFSET);
        } else {
            mask(Ipv4Header.TRAFFIC_CLASS_OFFSET);
            mask(Ipv4Header.TIME_TO_LIVE_OFFSET);
            mask(Ipv4Header.HEADER_CHECKSUM_OFFSET);
            mask(Ipv4Header.HEADER_CHECKSUM_OFFSET + 1);
        }
        mask(udp + UdpHeader.CHECKSUM_OFFSET);
        mask(udp + UdpHeader.CHECKSUM_OFFSET + 1);
        mask(bth + BTH_VARIANT_OFFSET);
        crc.reset();
        crc.update(scratch, 0, PREFIX_LENGTH + bth + Bth.LENGTH);
    }

    private void mask(int index) {
        scratch[PREFIX_LENGTH + index] = ONES;
    }

    private void feed(ByteBuffer datagram, int from, int to) {
        int position = datagram.position();
        int limit = datagram.limit();
        crc.update(datagram.limit(to).position(from));
        datagram.limit(limit).position(position);
    }
}
