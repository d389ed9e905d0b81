// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Computes the offsets of a packet's headers and payload, and provides flyweights over the headers. {@link RocePacket}
 * builds and parses packets.
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

    /** Sets the length of the IP header, and so the offsets of the UDP header and of all later headers. */
    final void ipHeaderLength(int newLength) {
        if (newLength == ipHeaderLength && bth.offset() != 0) {
            return;
        }
        ipHeaderLength = newLength;
        udpHeader.wrap(segment, newLength);
        bth.wrap(segment, bthOffset());
    }

    /** Removes the packet from the buffer. */
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

    /** {@return the memory of the buffer; the first {@link #length()} bytes are the datagram} */
    public final MemorySegment segment() {
        return segment;
    }

    /** {@return the length of the datagram from the IP header to the ICRC in bytes, 0 if the buffer has no packet} */
    public final int length() {
        return length;
    }

    /** {@return whether the datagram has an IPv6 header, not an IPv4 header} */
    public final boolean ipv6() {
        return ipHeaderLength == Ipv6Header.LENGTH;
    }

    /** {@return the length of the IP header in bytes, 20 or 40} */
    public final int ipHeaderLength() {
        return ipHeaderLength;
    }

    /** {@return the offset of the BTH in the datagram in bytes, 28 or 48} */
    public final int bthOffset() {
        return ipHeaderLength + UdpHeader.LENGTH;
    }

    /**
     * {@return the opcode of the packet}
     *
     * @throws IllegalStateException if the buffer has no packet. A buffer has a packet after {@code beginTransport}, or
     *     after {@code parse} has returned {@link PacketDefect#OK}
     */
    public final Opcode opcode() {
        Opcode known = opcode;
        if (known == null) {
            throw new IllegalStateException("this buffer holds no packet; parse one or begin one first");
        }
        return known;
    }

    /** {@return the offset of the payload in {@link #segment()} in bytes, after the last header} */
    public final int payloadOffset() {
        return bthOffset() + opcode().headerLength();
    }

    /** {@return the length of the payload without padding, in bytes} */
    public final int payloadLength() {
        return payloadLength;
    }

    /** {@return the first eight bytes of the source GID; 0 for IPv4} */
    public final long sourceHi() {
        return ipv6() ? ipv6Header.sourceHi() : 0;
    }

    /** {@return the last eight bytes of the source GID; for IPv4, the GID is the IPv4-mapped address} */
    public final long sourceLo() {
        return ipv6() ? ipv6Header.sourceLo() : GidAddress.mapIpv4(ipv4Header.source());
    }

    /** {@return the first eight bytes of the destination GID; 0 for IPv4, because the GID is an IPv4-mapped address} */
    public final long destinationHi() {
        return ipv6() ? ipv6Header.destinationHi() : 0;
    }

    /** {@return the last eight bytes of the destination GID; for IPv4, the GID is the IPv4-mapped address} */
    public final long destinationLo() {
        return ipv6() ? ipv6Header.destinationLo() : GidAddress.mapIpv4(ipv4Header.destination());
    }

    /** {@return the IPv4 header, which is valid only if {@link #ipv6()} is false} */
    public final Ipv4Header ipv4Header() {
        return ipv4Header;
    }

    /** {@return the IPv6 header, which is valid only if {@link #ipv6()} is true} */
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
     * {@return the DETH of this packet}
     *
     * @throws IllegalStateException if packets with this opcode do not have a DETH
     */
    public final Deth deth() {
        return deth.wrap(segment, offset(Extension.DETH));
    }

    /**
     * {@return the FETH of this packet}
     *
     * @throws IllegalStateException if packets with this opcode do not have a FETH
     */
    public final Feth feth() {
        return feth.wrap(segment, offset(Extension.FETH));
    }

    /**
     * {@return the RETH of this packet}
     *
     * @throws IllegalStateException if packets with this opcode do not have a RETH
     */
    public final Reth reth() {
        return reth.wrap(segment, offset(Extension.RETH));
    }

    /**
     * {@return the AtomicETH of this packet}
     *
     * @throws IllegalStateException if packets with this opcode do not have an AtomicETH
     */
    public final AtomicEth atomicEth() {
        return atomicEth.wrap(segment, offset(Extension.ATOMIC_ETH));
    }

    /**
     * {@return the AETH of this packet}
     *
     * @throws IllegalStateException if packets with this opcode do not have an AETH
     */
    public final Aeth aeth() {
        return aeth.wrap(segment, offset(Extension.AETH));
    }

    /**
     * {@return the AtomicAckETH of this packet}
     *
     * @throws IllegalStateException if packets with this opcode do not have an AtomicAckETH
     */
    public final AtomicAckEth atomicAckEth() {
        return atomicAckEth.wrap(segment, offset(Extension.ATOMIC_ACK_ETH));
    }

    /**
     * {@return the IETH of this packet}
     *
     * @throws IllegalStateException if packets with this opcode do not have an IETH
     */
    public final Ieth ieth() {
        return ieth.wrap(segment, offset(Extension.IETH));
    }

    /**
     * {@return the ImmDt of this packet}
     *
     * @throws IllegalStateException if packets with this opcode do not have an ImmDt
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

    /** {@return the decoded headers, the payload length and the datagram length} */
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
