// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * Finds the IPv4 identification of a datagram if a socket returned only the UDP payload. Linux's rdma_rxe increments the
 * identification, and the ICRC covers both the identification and the "don't fragment" flag.
 *
 * <p>This class computes the packet's ICRC with identification 0, and XORs the result with the ICRC in the packet. A
 * CRC is linear, so this XOR depends only on the identification, the flags and the fragment offset in the IPv4 header.
 * The XOR of the two ICRCs is the CRC of these three fields, followed by a zero byte for each later byte of the packet.
 * If the CRC steps of these zero bytes are undone, the result is the identification, the flags and the fragment offset.
 * In an unfragmented datagram, 15 of the 32 bits of identification, flags and fragment offset are known. So about one
 * in 32768 corrupted datagrams is accepted as intact. Use this class only for a peer that is known to use nonzero
 * identifications.
 *
 * <p>Finding the identification of a packet allocates no memory, and takes a few hundred operations for any packet length. This
 * class is not thread-safe.
 */
public final class IdentificationRecovery {
    private static final int RXE_REPEATS_FROM = Ipv4Header.LENGTH + UdpHeader.LENGTH;

    private final Icrc icrc = new Icrc();

    /** Creates an instance, which can serve any number of packets. */
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

    /** Computes the identification from the XOR of two ICRCs over {@code bytes} bytes from the identification on. */
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
