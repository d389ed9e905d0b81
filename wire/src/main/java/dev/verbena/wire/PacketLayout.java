// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The offsets of the parts of a packet in its buffer, and flyweights over them. {@link RocePacket} builds and parses
 * packets.
 */
abstract class PacketLayout {
    private final MemorySegment segment;
    private final Ipv4Header ipv4Header = new Ipv4Header();
    private final Ipv6Header ipv6Header = new Ipv6Header();
    private final UdpHeader udpHeader = new UdpHeader();
    private final Bth bth = new Bth();
    private final Deth deth = new Deth();
    private final Feth feth = new Feth();
    private final Reth reth = new Reth();
    private final AtomicEth atomicEth = new AtomicEth();
    private final Aeth aeth = new Aeth();
    private final AtomicAckEth atomicAckEth = new AtomicAckEth();
    private final Ieth ieth = new Ieth();
    private final ImmDt immDt = new ImmDt();

    private int ipHeaderLength = Ipv4Header.LENGTH;
    private @Nullable Opcode opcode;
    private int payloadLength;
    private int length;

    PacketLayout(MemorySegment segment) {
        this.segment = segment;
        ipv4Header.wrap(segment, 0);
        ipv6Header.wrap(segment, 0);
        ipHeaderLength(Ipv4Header.LENGTH);
    }

    /** Moves the parts after the IP header. */
    final void ipHeaderLength(int newLength) {
        if (newLength == ipHeaderLength && bth.offset() != 0) {
            return;
        }
        ipHeaderLength = newLength;
        udpHeader.wrap(segment, newLength);
        bth.wrap(segment, bthOffset());
    }

    /** Makes the buffer hold no packet. */
    final void clear() {
        opcode = null;
        payloadLength = 0;
        length = 0;
    }

    final void assign(@Nullable Opcode newOpcode, int newPayloadLength, int newLength) {
        opcode = newOpcode;
        payloadLength = newPayloadLength;
        length = newLength;
    }

    final @Nullable Opcode opcodeOrNull() {
        return opcode;
    }

    /** {@return all bytes of this buffer, of which the datagram takes the first {@link #length()}} */
    public final MemorySegment segment() {
        return segment;
    }

    /** {@return length of the datagram from the IP header to the ICRC in bytes, 0 if there is none} */
    public final int length() {
        return length;
    }

    /** {@return true if the datagram has an IPv6 header, false if it has an IPv4 header} */
    public final boolean ipv6() {
        return ipHeaderLength == Ipv6Header.LENGTH;
    }

    /** {@return length of the IP header in bytes, 20 or 40} */
    public final int ipHeaderLength() {
        return ipHeaderLength;
    }

    /** {@return offset of the BTH in bytes, 28 or 48} */
    public final int bthOffset() {
        return ipHeaderLength + UdpHeader.LENGTH;
    }

    /**
     * Returns the opcode of the packet.
     *
     * @return the opcode
     * @throws IllegalStateException if the packet has neither been begun nor parsed without defect
     */
    public final Opcode opcode() {
        Opcode known = opcode;
        if (known == null) {
            throw new IllegalStateException("this buffer holds no packet; parse one or begin one first");
        }
        return known;
    }

    /** {@return offset of the payload in {@link #segment()} in bytes, right after the last header} */
    public final int payloadOffset() {
        return bthOffset() + opcode().headerLength();
    }

    /** {@return length of the payload without padding, in bytes} */
    public final int payloadLength() {
        return payloadLength;
    }

    /** {@return first eight bytes of the source GID; 0 for IPv4} */
    public final long sourceHi() {
        return ipv6() ? ipv6Header.sourceHi() : 0;
    }

    /** {@return last eight bytes of the source GID, of an IPv4 address its mapped form} */
    public final long sourceLo() {
        return ipv6() ? ipv6Header.sourceLo() : GidAddress.mapIpv4(ipv4Header.source());
    }

    /** {@return first eight bytes of the destination GID; 0 for IPv4} */
    public final long destinationHi() {
        return ipv6() ? ipv6Header.destinationHi() : 0;
    }

    /** {@return last eight bytes of the destination GID, of an IPv4 address its mapped form} */
    public final long destinationLo() {
        return ipv6() ? ipv6Header.destinationLo() : GidAddress.mapIpv4(ipv4Header.destination());
    }

    /** {@return the IPv4 header; meaningless if {@link #ipv6()}} */
    public final Ipv4Header ipv4Header() {
        return ipv4Header;
    }

    /** {@return the IPv6 header; meaningless unless {@link #ipv6()}} */
    public final Ipv6Header ipv6Header() {
        return ipv6Header;
    }

    /** {@return the UDP header} */
    public final UdpHeader udpHeader() {
        return udpHeader;
    }

    /** {@return the BTH} */
    public final Bth bth() {
        return bth;
    }

    /**
     * The DETH of this packet.
     *
     * @return the header
     * @throws IllegalStateException if packets with this opcode have none
     */
    public final Deth deth() {
        return deth.wrap(segment, offset(Extension.DETH));
    }

    /**
     * The FETH of this packet.
     *
     * @return the header
     * @throws IllegalStateException if packets with this opcode have none
     */
    public final Feth feth() {
        return feth.wrap(segment, offset(Extension.FETH));
    }

    /**
     * The RETH of this packet.
     *
     * @return the header
     * @throws IllegalStateException if packets with this opcode have none
     */
    public final Reth reth() {
        return reth.wrap(segment, offset(Extension.RETH));
    }

    /**
     * The AtomicETH of this packet.
     *
     * @return the header
     * @throws IllegalStateException if packets with this opcode have none
     */
    public final AtomicEth atomicEth() {
        return atomicEth.wrap(segment, offset(Extension.ATOMIC_ETH));
    }

    /**
     * The AETH of this packet.
     *
     * @return the header
     * @throws IllegalStateException if packets with this opcode have none
     */
    public final Aeth aeth() {
        return aeth.wrap(segment, offset(Extension.AETH));
    }

    /**
     * The AtomicAckETH of this packet.
     *
     * @return the header
     * @throws IllegalStateException if packets with this opcode have none
     */
    public final AtomicAckEth atomicAckEth() {
        return atomicAckEth.wrap(segment, offset(Extension.ATOMIC_ACK_ETH));
    }

    /**
     * The IETH of this packet.
     *
     * @return the header
     * @throws IllegalStateException if packets with this opcode have none
     */
    public final Ieth ieth() {
        return ieth.wrap(segment, offset(Extension.IETH));
    }

    /**
     * The ImmDt of this packet.
     *
     * @return the header
     * @throws IllegalStateException if packets with this opcode have none
     */
    public final ImmDt immDt() {
        return immDt.wrap(segment, offset(Extension.IMM_DT));
    }

    private int offset(Extension extension) {
        int fromBth = opcode().offset(extension);
        if (fromBth < 0) {
            throw new IllegalStateException(opcode() + " packets have no " + extension);
        }
        return bthOffset() + fromBth;
    }

    private Flyweight<?> header(Extension extension) {
        return switch (extension) {
            case DETH -> deth();
            case FETH -> feth();
            case RETH -> reth();
            case ATOMIC_ETH -> atomicEth();
            case AETH -> aeth();
            case ATOMIC_ACK_ETH -> atomicAckEth();
            case IETH -> ieth();
            case IMM_DT -> immDt();
        };
    }

    /** {@return the decoded headers, payload length and datagram length} */
    @Override
    public final String toString() {
        Opcode known = opcode;
        if (known == null) {
            return "RocePacket[empty]";
        }
        StringBuilder out = new StringBuilder("RocePacket[");
        out.append(ipv6() ? ipv6Header : ipv4Header)
                .append(' ')
                .append(udpHeader)
                .append(' ')
                .append(bth);
        for (Extension extension : Extension.values()) {
            if (known.has(extension)) {
                out.append(' ').append(header(extension));
            }
        }
        return out.append(" payload=")
                .append(payloadLength)
                .append(" len=")
                .append(length)
                .append(']')
                .toString();
    }
}
