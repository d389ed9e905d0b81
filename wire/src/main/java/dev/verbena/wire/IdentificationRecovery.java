// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * Computes the IPv4 Identification (IP ID) of a datagram if a socket returned only the UDP payload. Linux's rdma_rxe
 * increments the IPv4 Identification, and the ICRC covers this field and the "don't fragment" flag.
 *
 * <p>This class computes the ICRC with the packet's current IPv4 header, and XORs the result with the ICRC in the packet. A
 * CRC is linear. Therefore the XOR depends only on the differences in IPv4 Identification, flags and fragment offset, and
 * on the number of later bytes. To compute the IPv4 Identification, flags and fragment offset, this class reverses the CRC
 * of these fields and of all later bytes. In an unfragmented datagram, 15 of the 16 bits of flags and fragment offset are
 * zero. This class detects a corrupted datagram only by a computed fragment offset other than 0, or a computed flag other
 * than "don't fragment". This class accepts about one in 2^15 corrupted datagrams as correct. Use this class only for a
 * peer that is known to use nonzero IPv4 Identifications.
 *
 * <p>Computing an IPv4 Identification allocates no memory, and takes a few hundred CPU instructions for any packet length.
 * This class is not thread-safe.
 */
public final class IdentificationRecovery {
    private static final int RXE_REPEATS_FROM = Ipv4Header.LENGTH + UdpHeader.LENGTH;

    private final Icrc icrc = new Icrc();

    /** Creates an object that can compute the IPv4 Identifications of any number of packets. */
    public IdentificationRecovery() {}

    /**
     * Computes the IPv4 Identification and the "don't fragment" flag for which the ICRC of a packet is correct. Writes the
     * IPv4 Identification, the "don't fragment" flag and the header checksum into the IPv4 header.
     *
     * @param packet a parsed IPv4 packet whose ICRC is wrong
     * @return true if the ICRC is correct for some IPv4 Identification; otherwise false, and the packet is unchanged
     */
    public boolean recover(RocePacket packet) {
        int found = packet.icrc();
        int behind = packet.length() - Icrc.LENGTH - Ipv4Header.IDENTIFICATION_OFFSET;
        if (apply(packet, found ^ icrc.compute(packet), behind)) {
            return true;
        }
        return packet.opcode().isFlush()
                && apply(
                        packet,
                        found ^ icrc.computeRxeFlush(packet),
                        behind + packet.length() - Icrc.LENGTH - RXE_REPEATS_FROM);
    }

    /**
     * Computes the IPv4 Identification from {@code difference}, the XOR of two ICRCs. The ICRC covers {@code bytes} bytes
     * from the IPv4 Identification on.
     */
    private static boolean apply(RocePacket packet, int difference, int bytes) {
        Ipv4Header header = packet.ipv4Header();
        int change = Integer.reverseBytes(CrcShift.back(difference, bytes));
        int flags = header.flagsAndFragment() ^ (change & 0xffff);
        if ((flags & ~Ipv4Header.DONT_FRAGMENT) != 0) {
            return false;
        }
        header.identification(header.identification() ^ (change >>> Short.SIZE)).flagsAndFragment(flags);
        header.headerChecksum(header.computeChecksum());
        return true;
    }
}
