// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * Finds the IPv4 identification of a datagram if a socket returned only the UDP payload. Linux's rdma_rxe increments
 * the IPv4 identification, and the ICRC covers this field and the "don't fragment" flag.
 *
 * <p>This class computes the packet's ICRC with the IPv4 identification 0, and XORs the result with the ICRC in the packet.
 * A CRC is linear, so the XOR of the two ICRCs depends only on three fields (identification, flags, fragment offset) and
 * the number of bytes after the fields. To compute identification, flags and fragment offset, this class reverses the CRC
 * of these fields and of all later bytes. In an unfragmented datagram, 15 of the 16 bits of flags and fragment offset are
 * 0. The only sign of damage is a computed fragment offset other than 0, or a computed flag other than "don't fragment".
 * This class accepts about one in 2^15 corrupted datagrams as intact. Use this class only for a peer that is known to use
 * nonzero IPv4 identifications.
 *
 * <p>Finding an IPv4 identification allocates no memory, and takes a few hundred CPU instructions for any packet
 * length. This class is not thread-safe.
 */
public final class IdentificationRecovery {
    private static final int RXE_REPEATS_FROM = Ipv4Header.LENGTH + UdpHeader.LENGTH;

    private final Icrc icrc = new Icrc();

    /** Creates an object that can recover the IPv4 identifications of any number of packets. */
    public IdentificationRecovery() {}

    /**
     * Finds the identification and the "don't fragment" flag that make the ICRC of a packet correct. Writes the identification,
     * the "don't fragment" flag and the header checksum into the IPv4 header.
     *
     * @param packet a parsed IPv4 packet whose ICRC is wrong
     * @return true if some IPv4 identification makes the ICRC correct; otherwise false, and the packet is unchanged
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
     * Computes the IPv4 identification from {@code difference}, the XOR of two ICRCs. The ICRC covers {@code bytes} bytes
     * from the IPv4 identification on.
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
