package dev.verbena.wire;

/**
 * Finds the IPv4 identification of a datagram of which a socket gave the UDP payload alone. The ICRC covers the
 * identification and the "don't fragment" flag, which sockets do not show; Linux's rdma_rxe counts the identification up.
 *
 * <p>A CRC is linear: the difference between the ICRC in a packet and the one computed with identification 0 is the remainder
 * of what the four bytes from the identification on differ by, moved through the bytes behind them. Moving it back gives those
 * bytes. Of the 32 bits that are found 15 must be those of a datagram that is no fragment, and so about one of 32768
 * datagrams that were altered on the way is taken for intact. Do this only where a peer is known to use
 * identifications.
 *
 * <p>Works without allocating, in some hundreds of steps whatever the length. Not thread-safe.
 */
public final class IdentificationRecovery {
    private static final int RXE_REPEATS_FROM = Ipv4Header.LENGTH + UdpHeader.LENGTH;

    private final Icrc icrc = new Icrc();

    /** Creates an instance. */
    public IdentificationRecovery() {}

    /**
     * Writes the identification and the "don't fragment" flag that make the ICRC right into the header of a packet, and the
     * header's checksum.
     *
     * @param packet an IPv4 packet that has been parsed and whose ICRC is wrong
     * @return false if nothing makes it right; the packet is left as it was
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

    /** Takes the difference back over so many bytes, to where the identification begins. */
    private static boolean apply(RocePacket packet, int difference, int bytes) {
        Ipv4Header header = packet.ipv4Header();
        int change = Integer.reverseBytes(Remainder.goBack(difference, bytes));
        int flags = header.flagsAndFragment() ^ (change & 0xffff);
        if ((flags & ~Ipv4Header.DONT_FRAGMENT) != 0) {
            return false;
        }
        header.identification(header.identification() ^ (change >>> Short.SIZE)).flagsAndFragment(flags);
        header.headerChecksum(header.computeChecksum());
        return true;
    }
}
