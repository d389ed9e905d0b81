// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * Finds the IPv4 identification of a datagram of which a socket returned only the UDP payload. Linux's rdma_rxe increments
 * the identification, and the ICRC covers it together with the "don't fragment" flag.
 *
 * <p>A CRC is linear. So the difference between a packet's ICRC and the ICRC computed with identification 0 depends only on
 * the four bytes from the identification on. The difference is the CRC of these bytes, shifted over the later bytes. Shifting
 * the difference back yields the four bytes. Of the 32 bits found, 15 must be those of an unfragmented datagram, so about one
 * in 32768 corrupted datagrams is accepted as intact. Use this class only for a peer that is known to use identifications.
 *
 * <p>Recovery allocates no memory, and takes a few hundred steps for any length. This class is not thread-safe.
 */
public final class IdentificationRecovery {
    private static final int RXE_REPEATS_FROM = Ipv4Header.LENGTH + UdpHeader.LENGTH;

    private final Icrc icrc = new Icrc();

    /** Creates an instance, which can be used for any number of packets. */
    public IdentificationRecovery() {}

    /**
     * Finds the identification and the "don't fragment" flag with which the ICRC of a packet is correct, and writes them and
     * the checksum into the IPv4 header.
     *
     * @param packet a parsed IPv4 packet with a wrong ICRC
     * @return false if no identification makes the ICRC correct; the packet is then unchanged
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

    /** Shifts the difference of two ICRCs back over {@code bytes} bytes, to the beginning of the identification. */
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
