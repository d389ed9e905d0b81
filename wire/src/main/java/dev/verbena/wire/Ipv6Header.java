// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * An IPv6 header without extension headers (RFC 8200). The global route header (GRH) of InfiniBand has the layout of an
 * IPv6 header.
 *
 * <pre>{@code
 * byte  +-----------------------------------+
 *     0 |ver4|traffic class8| flow label20  |
 *       +-----------------+--------+--------+
 *     4 | payload length  |next hdr|hop lim |
 *       +-----------------+--------+--------+
 *     8 |          source address           |
 *    .. |                                   |
 *       +-----------------------------------+
 *    24 |        destination address        |
 *    .. |                                   |
 *       +-----------------------------------+
 * }</pre>
 */
public final class Ipv6Header extends Flyweight<Ipv6Header> {
    /** The length of the IPv6 header in bytes. */
    public static final int LENGTH = 40;

    /** The offset of the payload length within the IPv6 header, in bytes. */
    public static final int PAYLOAD_LENGTH_OFFSET = 4;

    /** The offset of the protocol number (next header) within the IPv6 header, in bytes. */
    public static final int NEXT_HEADER_OFFSET = 6;

    /** The offset of the hop limit within the IPv6 header, in bytes. */
    public static final int HOP_LIMIT_OFFSET = 7;

    /** The offset of the upper half of the source address within the IPv6 header, in bytes. */
    public static final int SOURCE_HI_OFFSET = 8;

    /** The offset of the lower half of the source address within the IPv6 header, in bytes. */
    public static final int SOURCE_LO_OFFSET = 16;

    /** The offset of the upper half of the destination address within the IPv6 header, in bytes. */
    public static final int DESTINATION_HI_OFFSET = 24;

    /** The offset of the lower half of the destination address within the IPv6 header, in bytes. */
    public static final int DESTINATION_LO_OFFSET = 32;

    /** The IP version of an IPv6 header. */
    public static final int VERSION = 6;

    private static final int FIRST_WORD_OFFSET = 0;
    private static final int VERSION_SHIFT = 28;
    private static final int TRAFFIC_CLASS_SHIFT = 20;
    private static final int TRAFFIC_CLASS_MASK = 0xff;
    private static final int FLOW_LABEL_MASK = 0xf_ffff;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    public Ipv6Header() {}

    /** {@return the length of the datagram from the UDP header to the ICRC, in bytes} */
    public int payloadLength() {
        return get16(PAYLOAD_LENGTH_OFFSET);
    }

    /**
     * Sets the payload length.
     *
     * @param value length in bytes
     * @return this
     */
    public Ipv6Header payloadLength(int value) {
        put16(PAYLOAD_LENGTH_OFFSET, value);
        return this;
    }

    /** {@return the protocol number of the payload; {@link Ipv4Header#UDP} for RoCEv2} */
    public int nextHeader() {
        return get8(NEXT_HEADER_OFFSET);
    }

    /**
     * Sets the next header.
     *
     * @param value the protocol, 0..255
     * @return this
     */
    public Ipv6Header nextHeader(int value) {
        put8(NEXT_HEADER_OFFSET, value);
        return this;
    }

    /** {@return the hop limit: the number of further routers that may forward the datagram, 0..255} */
    public int hopLimit() {
        return get8(HOP_LIMIT_OFFSET);
    }

    /**
     * Sets the hop limit.
     *
     * @param value the hop limit: the number of further routers that may forward the datagram, 1..255
     * @return this
     */
    public Ipv6Header hopLimit(int value) {
        put8(HOP_LIMIT_OFFSET, value);
        return this;
    }

    /** {@return the first eight bytes of the source address} */
    public long sourceHi() {
        return get64(SOURCE_HI_OFFSET);
    }

    /**
     * Sets the upper half of the source address.
     *
     * @param value the eight bytes
     * @return this
     */
    public Ipv6Header sourceHi(long value) {
        put64(SOURCE_HI_OFFSET, value);
        return this;
    }

    /** {@return the last eight bytes of the source address} */
    public long sourceLo() {
        return get64(SOURCE_LO_OFFSET);
    }

    /**
     * Sets the lower half of the source address.
     *
     * @param value the eight bytes
     * @return this
     */
    public Ipv6Header sourceLo(long value) {
        put64(SOURCE_LO_OFFSET, value);
        return this;
    }

    /** {@return the first eight bytes of the destination address} */
    public long destinationHi() {
        return get64(DESTINATION_HI_OFFSET);
    }

    /**
     * Sets the upper half of the destination address.
     *
     * @param value the eight bytes
     * @return this
     */
    public Ipv6Header destinationHi(long value) {
        put64(DESTINATION_HI_OFFSET, value);
        return this;
    }

    /** {@return the last eight bytes of the destination address} */
    public long destinationLo() {
        return get64(DESTINATION_LO_OFFSET);
    }

    /**
     * Sets the last eight bytes of the destination address.
     *
     * @param value the eight bytes
     * @return this
     */
    public Ipv6Header destinationLo(long value) {
        put64(DESTINATION_LO_OFFSET, value);
        return this;
    }

    /** {@return the IP version, 6} */
    public int version() {
        return get32(FIRST_WORD_OFFSET) >>> VERSION_SHIFT;
    }

    /**
     * Sets the IP version.
     *
     * @param value the IP version, 6
     * @return this
     */
    public Ipv6Header version(int value) {
        put32(FIRST_WORD_OFFSET, (get32(FIRST_WORD_OFFSET) & ((1 << VERSION_SHIFT) - 1)) | (value << VERSION_SHIFT));
        return this;
    }

    /** {@return the traffic class: the DSCP and, in the lowest two bits, ECN} */
    public int trafficClass() {
        return (get32(FIRST_WORD_OFFSET) >>> TRAFFIC_CLASS_SHIFT) & TRAFFIC_CLASS_MASK;
    }

    /**
     * Sets the traffic class.
     *
     * @param value the traffic class, 0..255
     * @return this
     */
    public Ipv6Header trafficClass(int value) {
        int others = get32(FIRST_WORD_OFFSET) & ~(TRAFFIC_CLASS_MASK << TRAFFIC_CLASS_SHIFT);
        put32(FIRST_WORD_OFFSET, others | ((value & TRAFFIC_CLASS_MASK) << TRAFFIC_CLASS_SHIFT));
        return this;
    }

    /** {@return the flow label, 0..2^20-1; rdma_rxe sends 0} */
    public int flowLabel() {
        return get32(FIRST_WORD_OFFSET) & FLOW_LABEL_MASK;
    }

    /**
     * Sets the flow label.
     *
     * @param value the flow label, 0..2^20-1
     * @return this
     */
    public Ipv6Header flowLabel(int value) {
        put32(FIRST_WORD_OFFSET, (get32(FIRST_WORD_OFFSET) & ~FLOW_LABEL_MASK) | (value & FLOW_LABEL_MASK));
        return this;
    }

    /**
     * Writes an IPv6 header for a UDP datagram, but not its addresses; flow label and payload length are 0.
     *
     * @param trafficClass the traffic class
     * @param hopLimit the hop limit
     * @return this
     */
    public Ipv6Header initialize(int trafficClass, int hopLimit) {
        put32(
                FIRST_WORD_OFFSET,
                (VERSION << VERSION_SHIFT) | ((trafficClass & TRAFFIC_CLASS_MASK) << TRAFFIC_CLASS_SHIFT));
        put32(PAYLOAD_LENGTH_OFFSET, (Ipv4Header.UDP << 8) | (hopLimit & 0xff));
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append(GidAddress.format(sourceHi(), sourceLo())).append("->");
        out.append(GidAddress.format(destinationHi(), destinationLo()))
                .append(" len=")
                .append(payloadLength());
        out.append(" hop=").append(hopLimit()).append(" tc=0x%02x".formatted(trafficClass()));
        out.append(" flow=0x%05x".formatted(flowLabel())).append(" next=").append(nextHeader());
    }
}
