// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A reusable buffer for one RoCEv2 packet, with flyweights over its headers. The buffer contains an IP datagram.
 *
 * <pre>
 * IPv4 (20) or IPv6 (40) | UDP (8) | BTH (12) | extension headers | payload | pad (0..3) | ICRC (4)
 * </pre>
 *
 * <p>To build a packet, call {@code begin} and {@link #beginTransport(Opcode)}, set header fields, write the payload at
 * {@link #payloadOffset()}, and call {@link #payloadLength(int)} and {@link #seal()}. To read a packet, copy a datagram
 * into {@link #segment()}, and call {@link #parse(int)}. After a successful parse, all headers that the opcode requires
 * are within the packet's length.
 *
 * <p>Only the constructor allocates memory. Each header getter returns the same object at each call, wrapped around this
 * packet's header. This class is not thread-safe. With memory from a shared arena, threads can pass a packet to each other.
 */
public class RocePacket extends PacketLayout {
    /** The size of a packet with the longest headers and a payload of 4096 bytes, rounded up to a multiple of 64. */
    public static final int DEFAULT_CAPACITY = 4224;

    private static final int MAX_TRANSPORT_LENGTH = 40;
    private static final int MIN_CAPACITY = Ipv6Header.LENGTH + UdpHeader.LENGTH + MAX_TRANSPORT_LENGTH + Icrc.LENGTH;
    private static final int MAX_CAPACITY = 0xffff;
    private static final int PAD_UNIT = 4;

    private static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfInt ICRC = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int capacity;
    private final ByteBuffer buffer;
    private final ByteBuffer crcView;
    private final Icrc icrc = new Icrc();

    /**
     * Creates a packet of {@link #DEFAULT_CAPACITY} bytes.
     *
     * @param arena the arena that allocates the packet's memory
     */
    public RocePacket(Arena arena) {
        this(arena, DEFAULT_CAPACITY);
    }

    /**
     * Creates a packet with a given capacity.
     *
     * @param arena the arena that allocates the packet's memory
     * @param capacity the maximum length of a datagram in this buffer, in bytes, 92..65535
     * @throws IllegalArgumentException if the capacity is not 92..65535
     */
    public RocePacket(Arena arena, int capacity) {
        this(arena.allocate(checked(capacity), Long.BYTES), capacity);
    }

    private RocePacket(MemorySegment segment, int capacity) {
        super(segment);
        this.capacity = capacity;
        buffer = segment.asByteBuffer();
        crcView = segment.asByteBuffer();
    }

    private static int checked(int capacity) {
        if (capacity < MIN_CAPACITY || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException(
                    "packet capacity " + capacity + " is not in " + MIN_CAPACITY + ".." + MAX_CAPACITY);
        }
        return capacity;
    }

    /**
     * Returns the datagram as a byte buffer, which a channel can write. To receive a datagram into this packet, clear the
     * buffer, read from the channel, and parse the received bytes.
     *
     * @return always the same buffer over {@link #segment()}, with position 0 and limit {@link #length()}
     */
    public final ByteBuffer buffer() {
        return buffer.limit(length()).position(0);
    }

    /**
     * Returns a second buffer over the packet, so that computing the ICRC does not change the position of {@link #buffer()}.
     */
    final ByteBuffer crcView() {
        return crcView;
    }

    /** {@return the maximum length of a datagram in this buffer, in bytes} */
    public final int capacity() {
        return capacity;
    }

    /**
     * Begins a new packet: writes the IP header (IPv4 without options, Identification 0, "don't fragment"; or IPv6, flow
     * label 0) and the UDP header. The caller must call {@link #beginTransport(Opcode)} next.
     *
     * @param sourceHi the first eight bytes of the source GID
     * @param sourceLo the last eight bytes of the source GID
     * @param destinationHi the first eight bytes of the destination GID
     * @param destinationLo the last eight bytes of the destination GID
     * @param udpSourcePort the UDP source port; see {@link UdpSourcePort}
     * @param trafficClass the IPv6 traffic class or IPv4 type of service, 0..255
     * @param hopLimit the IPv6 hop limit or IPv4 TTL, 1..255
     * @return this
     * @throws IllegalArgumentException if one GID is an IPv4-mapped IPv6 address and the other GID is not
     */
    public final RocePacket begin(
            long sourceHi,
            long sourceLo,
            long destinationHi,
            long destinationLo,
            int udpSourcePort,
            int trafficClass,
            int hopLimit) {
        boolean ipv4 = GidAddress.isIpv4(destinationHi, destinationLo);
        if (ipv4 != GidAddress.isIpv4(sourceHi, sourceLo)) {
            throw new IllegalArgumentException("the IP versions differ between source GID "
                    + GidAddress.format(sourceHi, sourceLo) + " and destination GID "
                    + GidAddress.format(destinationHi, destinationLo)
                    + "; choose a source GID of the destination's IP version");
        }
        clear();
        if (ipv4) {
            ipHeaderLength(Ipv4Header.LENGTH);
            ipv4Header()
                    .initialize(trafficClass, hopLimit, GidAddress.toIpv4(sourceLo), GidAddress.toIpv4(destinationLo));
        } else {
            ipHeaderLength(Ipv6Header.LENGTH);
            ipv6Header().initialize(trafficClass, hopLimit).sourceHi(sourceHi).sourceLo(sourceLo);
            ipv6Header().destinationHi(destinationHi).destinationLo(destinationLo);
        }
        udpHeader()
                .sourcePort(udpSourcePort)
                .destinationPort(UdpHeader.ROCE_PORT)
                .checksum(0);
        return this;
    }

    /**
     * Sets the opcode of a packet. The caller must have called {@code begin}, which writes the IP and UDP headers.
     * Writes a BTH with the default P_Key and zeros in all other fields, and sets an empty payload. Extension headers
     * are undefined until the caller writes them.
     *
     * @param newOpcode the opcode of the packet
     * @return the BTH, in which the caller can set QPN, PSN and flags
     */
    public final Bth beginTransport(Opcode newOpcode) {
        assign(newOpcode, 0, 0);
        bth().initialize(newOpcode);
        payloadLength(0);
        return bth();
    }

    /**
     * Sets the length of the payload, and the fields that depend on it: pad count, pad bytes, and the lengths in the IP
     * and UDP headers. The caller may write the payload's bytes before or after it sets the payload length.
     *
     * @param newPayloadLength the length of the payload in bytes, without padding
     * @return this
     * @throws IllegalArgumentException if the payload length is negative, or the datagram would exceed the capacity
     */
    public final RocePacket payloadLength(int newPayloadLength) {
        int start = payloadOffset();
        int pad = -newPayloadLength & (PAD_UNIT - 1);
        if (newPayloadLength < 0 || newPayloadLength > capacity - start - pad - Icrc.LENGTH) {
            throw new IllegalArgumentException(
                    "a payload of " + newPayloadLength + " bytes does not fit into a packet of " + capacity
                            + " bytes with headers of " + start + " bytes");
        }
        int end = start + newPayloadLength;
        for (int i = 0; i < pad; i++) {
            segment().set(U8, end + i, (byte) 0);
        }
        int newLength = end + pad + Icrc.LENGTH;
        assign(opcode(), newPayloadLength, newLength);
        bth().padCount(pad);
        writeLengths();
        return this;
    }

    /**
     * Completes a packet: writes the IPv4 header checksum, a UDP checksum of 0, and the ICRC. After a later change of the
     * packet, the caller must call this method again.
     *
     * @return this
     */
    public final RocePacket seal() {
        if (!ipv6()) {
            ipv4Header().headerChecksum(ipv4Header().computeChecksum());
        }
        udpHeader().checksum(0);
        return icrc(icrc.compute(this));
    }

    /**
     * Completes the IP and UDP headers that {@code begin} has written. The packet must already contain the received UDP
     * payload, directly after the UDP header. After {@code received}, the caller must call {@link #parse(int)} with {@link #length()}.
     *
     * @param udpPayloadLength the length of the received UDP payload in bytes, from the BTH to the ICRC
     * @return this
     * @throws IllegalArgumentException if the length is negative, or the datagram would exceed the capacity
     */
    public final RocePacket received(int udpPayloadLength) {
        if (udpPayloadLength < 0 || udpPayloadLength > capacity - bthOffset()) {
            throw new IllegalArgumentException("a UDP payload of " + udpPayloadLength
                    + " bytes does not fit into a packet of " + capacity + " bytes");
        }
        assign(null, 0, bthOffset() + udpPayloadLength);
        writeLengths();
        if (!ipv6()) {
            ipv4Header().headerChecksum(ipv4Header().computeChecksum());
        }
        return this;
    }

    private void writeLengths() {
        udpHeader().length(length() - ipHeaderLength());
        if (ipv6()) {
            ipv6Header().payloadLength(length() - Ipv6Header.LENGTH);
        } else {
            ipv4Header().totalLength(length());
        }
    }

    /**
     * Parses the datagram in the first bytes of {@link #segment()}. {@code parse} throws no exception, whatever the
     * datagram contains. Bytes after the end of the datagram, such as the padding of a short Ethernet frame, are ignored.
     * The method checks neither the UDP checksum nor the ICRC. To check the ICRC, call {@link #icrcValid()}.
     *
     * @param received the number of bytes received
     * @return {@link PacketDefect#OK} or the parse error; after a parse error the packet has no opcode, and its length is 0
     */
    public final PacketDefect parse(int received) {
        clear();
        if (received < Ipv4Header.LENGTH || received > capacity) {
            return PacketDefect.TRUNCATED;
        }
        return switch (ipv4Header().version()) {
            case 4 -> parseIpv4(received);
            case 6 -> parseIpv6(received);
            default -> PacketDefect.NOT_IP;
        };
    }

    private PacketDefect parseIpv4(int received) {
        if (ipv4Header().internetHeaderLength() * 4 != Ipv4Header.LENGTH) {
            return ipv4Header().internetHeaderLength() * 4 < Ipv4Header.LENGTH
                    ? PacketDefect.NOT_IP
                    : PacketDefect.IP_OPTIONS;
        }
        if (!ipv4Header().checksumValid()) {
            return PacketDefect.BAD_IP_CHECKSUM;
        }
        if ((ipv4Header().flagsAndFragment() & Ipv4Header.FRAGMENT_MASK) != 0) {
            return PacketDefect.FRAGMENT;
        }
        return parseUdp(
                received,
                Ipv4Header.LENGTH,
                ipv4Header().totalLength(),
                ipv4Header().protocol());
    }

    private PacketDefect parseIpv6(int received) {
        if (received < Ipv6Header.LENGTH) {
            return PacketDefect.TRUNCATED;
        }
        return parseUdp(
                received,
                Ipv6Header.LENGTH,
                Ipv6Header.LENGTH + ipv6Header().payloadLength(),
                ipv6Header().nextHeader());
    }

    private PacketDefect parseUdp(int received, int newIpHeaderLength, int datagramLength, int protocol) {
        if (protocol != Ipv4Header.UDP) {
            return PacketDefect.NOT_UDP;
        }
        if (datagramLength > received) {
            return PacketDefect.TRUNCATED;
        }
        int udpLength = datagramLength - newIpHeaderLength;
        if (udpLength < UdpHeader.LENGTH) {
            return PacketDefect.BAD_LENGTH;
        }
        ipHeaderLength(newIpHeaderLength);
        if (udpHeader().destinationPort() != UdpHeader.ROCE_PORT) {
            return PacketDefect.NOT_ROCE_PORT;
        }
        int transportLength = udpLength - UdpHeader.LENGTH - Icrc.LENGTH;
        if (udpHeader().length() != udpLength || transportLength < Bth.LENGTH) {
            return PacketDefect.BAD_LENGTH;
        }
        Opcode parsed = Opcode.of(bth().opcode());
        if (parsed == null) {
            return PacketDefect.UNKNOWN_OPCODE;
        }
        if (bth().transportVersion() != 0) {
            return PacketDefect.BAD_TVER;
        }
        int parsedPayload = transportLength - parsed.headerLength() - bth().padCount();
        if (parsedPayload < 0) {
            return PacketDefect.BAD_LENGTH;
        }
        assign(parsed, parsedPayload, datagramLength);
        return PacketDefect.OK;
    }

    /**
     * Copies another packet's datagram and state to this packet.
     *
     * @param other the built or parsed packet to copy
     * @return this
     * @throws IllegalArgumentException if {@code other} is longer than this packet's capacity
     */
    public final RocePacket copyFrom(RocePacket other) {
        int otherLength = other.length();
        if (otherLength > capacity) {
            throw new IllegalArgumentException(
                    "a packet of " + otherLength + " bytes does not fit into a buffer of " + capacity + " bytes");
        }
        MemorySegment.copy(other.segment(), 0, segment(), 0, otherLength);
        ipHeaderLength(other.ipHeaderLength());
        assign(other.opcodeOrNull(), other.payloadLength(), otherLength);
        return this;
    }

    /**
     * Sets the packet's opcode and length without writing to the buffer. Before the packet is sent, the caller must write
     * the headers by {@code begin}, {@link #beginTransport(Opcode)} and {@link #payloadLength(int)}. Writing the headers
     * does not change a payload that is already at {@link #payloadOffset()}.
     *
     * @param ipv6 whether the packet will have an IPv6 header
     * @param newOpcode the opcode of the packet
     * @param newPayloadLength the length of the payload in bytes, without padding; not negative
     */
    protected final void outline(boolean ipv6, Opcode newOpcode, int newPayloadLength) {
        ipHeaderLength(ipv6 ? Ipv6Header.LENGTH : Ipv4Header.LENGTH);
        assign(newOpcode, newPayloadLength, lengthOf(ipv6, newOpcode, newPayloadLength));
    }

    /**
     * {@return the length of a datagram in bytes, from the IP header to the end of the ICRC}
     *
     * @param ipv6 whether the datagram has an IPv6 header
     * @param opcode the opcode of the packet
     * @param payloadLength the length of the payload in bytes, without padding; not negative
     */
    public static int lengthOf(boolean ipv6, Opcode opcode, int payloadLength) {
        int padded = (payloadLength + PAD_UNIT - 1) & -PAD_UNIT;
        int headers = (ipv6 ? Ipv6Header.LENGTH : Ipv4Header.LENGTH) + UdpHeader.LENGTH + opcode.headerLength();
        return headers + padded + Icrc.LENGTH;
    }

    /**
     * Truncates the datagram as if its last bytes had not arrived; the lengths in the headers do not change. The caller
     * must parse the packet again before it uses the packet's fields.
     *
     * @param bytes the length of the truncated datagram in bytes, 0 to {@link #length()}
     * @return this
     * @throws IllegalArgumentException if the datagram is already shorter than the given length
     */
    public final RocePacket truncate(int bytes) {
        if (bytes < 0 || bytes > length()) {
            throw new IllegalArgumentException("a datagram of " + length() + " bytes cannot be cut to " + bytes);
        }
        assign(opcodeOrNull(), payloadLength(), bytes);
        return this;
    }

    /** {@return the value of the packet's ICRC field; {@link Icrc#compute(RocePacket)} returns the correct value} */
    public final int icrc() {
        return segment().get(ICRC, length() - Icrc.LENGTH);
    }

    /**
     * Stores an ICRC, which need not be correct; {@link #seal()} stores the correct ICRC.
     *
     * @param value the ICRC, for example the result of {@link Icrc#compute(RocePacket)}
     * @return this
     */
    public final RocePacket icrc(int value) {
        segment().set(ICRC, length() - Icrc.LENGTH, value);
        return this;
    }

    /**
     * {@return whether the packet's ICRC is correct; a FLUSH may also have the ICRC of
     * {@link Icrc#computeRxeFlush(RocePacket)}}
     */
    public final boolean icrcValid() {
        int found = icrc();
        return found == icrc.compute(this) || (opcode().isFlush() && found == icrc.computeRxeFlush(this));
    }
}
