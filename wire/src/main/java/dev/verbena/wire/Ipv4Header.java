// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * An IPv4 header without options (RFC 791).
 *
 * <pre>{@code
 * byte   0        1        2
 *       +--------+--------+-----------------+
 *     0 |ver4 ihl4|  TOS  |   total length  |
 *       +--------+--------+-----------------+
 *     4 | identification  |flags3 fragment13|
 *       +--------+--------+-----------------+
 *     8 |  TTL   |protocol| header checksum |
 *       +--------+--------+-----------------+
 *    12 |           source address          |
 *       +-----------------------------------+
 *    16 |         destination address       |
 *       +-----------------------------------+
 * }</pre>
 */
public final class Ipv4Header extends Flyweight<Ipv4Header> {
    /** The length of the IPv4 header in bytes. */
    public static final int LENGTH = 20;

    /** The offset of the IP version within the IPv4 header, in bytes. */
    public static final int VERSION_OFFSET = 0;

    /** The offset of the header length (IHL) within the IPv4 header, in bytes. */
    public static final int INTERNET_HEADER_LENGTH_OFFSET = 0;

    /** The offset of the traffic class within the IPv4 header, in bytes. */
    public static final int TRAFFIC_CLASS_OFFSET = 1;

    /** The offset of the total length within the IPv4 header, in bytes. */
    public static final int TOTAL_LENGTH_OFFSET = 2;

    /** The offset of the Identification (IP ID) within the IPv4 header, in bytes. */
    public static final int IDENTIFICATION_OFFSET = 4;

    /** The offset within the IPv4 header, in bytes, of the 16-bit word with the flags and the fragment offset. */
    public static final int FLAGS_AND_FRAGMENT_OFFSET = 6;

    /** The offset of the TTL within the IPv4 header, in bytes. */
    public static final int TIME_TO_LIVE_OFFSET = 8;

    /** The offset of the protocol number within the IPv4 header, in bytes. */
    public static final int PROTOCOL_OFFSET = 9;

    /** The offset of the header checksum within the IPv4 header, in bytes. */
    public static final int HEADER_CHECKSUM_OFFSET = 10;

    /** The offset of the source address within the IPv4 header, in bytes. */
    public static final int SOURCE_OFFSET = 12;

    /** The offset of the destination address within the IPv4 header, in bytes. */
    public static final int DESTINATION_OFFSET = 16;

    /** The first byte of an IPv4 header without options: version 4, length five words. */
    public static final int VERSION_AND_LENGTH = 0x45;

    /** The bit "don't fragment" of the field {@link #flagsAndFragment()}. */
    public static final int DONT_FRAGMENT = 0x4000;

    /** The bits of {@link #flagsAndFragment()} that show a fragment: a datagram is a fragment if any of them is 1. */
    public static final int FRAGMENT_MASK = 0x3fff;

    /** The protocol number of UDP. */
    public static final int UDP = 17;

    private static final int VERSION_MASK = 0xf0;
    private static final int INTERNET_HEADER_LENGTH_MASK = 0x0f;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    public Ipv4Header() {}

    /** {@return the IP version, 4} */
    public int version() {
        return getBits(VERSION_OFFSET, VERSION_MASK);
    }

    /**
     * Sets the version.
     *
     * @param value the IP version, 4
     * @return this
     */
    public Ipv4Header version(int value) {
        putBits(VERSION_OFFSET, VERSION_MASK, value);
        return this;
    }

    /** {@return the length of the IPv4 header in units of 4 bytes; 5 if the header has no options} */
    public int internetHeaderLength() {
        return getBits(INTERNET_HEADER_LENGTH_OFFSET, INTERNET_HEADER_LENGTH_MASK);
    }

    /**
     * Sets the header length (IHL).
     *
     * @param value the length of the IPv4 header in units of 4 bytes, 5
     * @return this
     */
    public Ipv4Header internetHeaderLength(int value) {
        putBits(INTERNET_HEADER_LENGTH_OFFSET, INTERNET_HEADER_LENGTH_MASK, value);
        return this;
    }

    /** {@return the type of service byte: the DSCP and, in the lowest two bits, ECN} */
    public int trafficClass() {
        return get8(TRAFFIC_CLASS_OFFSET);
    }

    /**
     * Sets the traffic class.
     *
     * @param value the byte, 0..255
     * @return this
     */
    public Ipv4Header trafficClass(int value) {
        put8(TRAFFIC_CLASS_OFFSET, value);
        return this;
    }

    /** {@return the length of the datagram in bytes, from the IPv4 header to the ICRC} */
    public int totalLength() {
        return get16(TOTAL_LENGTH_OFFSET);
    }

    /**
     * Sets the total length.
     *
     * @param value length in bytes
     * @return this
     */
    public Ipv4Header totalLength(int value) {
        put16(TOTAL_LENGTH_OFFSET, value);
        return this;
    }

    /** {@return the IPv4 Identification (IP ID), 0..65535, which the ICRC covers} */
    public int identification() {
        return get16(IDENTIFICATION_OFFSET);
    }

    /**
     * Sets the IPv4 Identification (IP ID).
     *
     * @param value the IPv4 Identification
     * @return this
     */
    public Ipv4Header identification(int value) {
        put16(IDENTIFICATION_OFFSET, value);
        return this;
    }

    /** {@return three flag bits and thirteen bits of fragment offset; {@link #DONT_FRAGMENT} for RoCEv2} */
    public int flagsAndFragment() {
        return get16(FLAGS_AND_FRAGMENT_OFFSET);
    }

    /**
     * Sets the flags and fragment.
     *
     * @param value the 16 bits
     * @return this
     */
    public Ipv4Header flagsAndFragment(int value) {
        put16(FLAGS_AND_FRAGMENT_OFFSET, value);
        return this;
    }

    /** {@return the TTL: the number of further routers that may forward the datagram, 0..255} */
    public int timeToLive() {
        return get8(TIME_TO_LIVE_OFFSET);
    }

    /**
     * Sets the TTL.
     *
     * @param value the TTL: the number of further routers that may forward the datagram, 1..255
     * @return this
     */
    public Ipv4Header timeToLive(int value) {
        put8(TIME_TO_LIVE_OFFSET, value);
        return this;
    }

    /** {@return the protocol number of the payload; {@link #UDP} for RoCEv2} */
    public int protocol() {
        return get8(PROTOCOL_OFFSET);
    }

    /**
     * Sets the protocol.
     *
     * @param value the protocol, 0..255
     * @return this
     */
    public Ipv4Header protocol(int value) {
        put8(PROTOCOL_OFFSET, value);
        return this;
    }

    /** {@return the checksum of the IPv4 header, 0..65535} */
    public int headerChecksum() {
        return get16(HEADER_CHECKSUM_OFFSET);
    }

    /**
     * Sets the header checksum.
     *
     * @param value the checksum
     * @return this
     */
    public Ipv4Header headerChecksum(int value) {
        put16(HEADER_CHECKSUM_OFFSET, value);
        return this;
    }

    /** {@return the source address, with the first octet in the highest bits} */
    public int source() {
        return get32(SOURCE_OFFSET);
    }

    /**
     * Sets the source address.
     *
     * @param value the address
     * @return this
     */
    public Ipv4Header source(int value) {
        put32(SOURCE_OFFSET, value);
        return this;
    }

    /** {@return the destination address, with the first octet in the highest bits} */
    public int destination() {
        return get32(DESTINATION_OFFSET);
    }

    /**
     * Sets the destination address.
     *
     * @param value the address
     * @return this
     */
    public Ipv4Header destination(int value) {
        put32(DESTINATION_OFFSET, value);
        return this;
    }

    /**
     * Writes a whole IPv4 header for a UDP datagram that must not be fragmented. Sets the IPv4 Identification, total length
     * and header checksum to 0.
     *
     * @param trafficClass the type of service byte
     * @param hopLimit the TTL
     * @param source the source address
     * @param destination the destination address
     * @return this
     */
    public Ipv4Header initialize(int trafficClass, int hopLimit, int source, int destination) {
        put32(VERSION_OFFSET, (VERSION_AND_LENGTH << 24) | ((trafficClass & 0xff) << 16));
        put32(IDENTIFICATION_OFFSET, DONT_FRAGMENT);
        put32(TIME_TO_LIVE_OFFSET, ((hopLimit & 0xff) << 24) | (UDP << 16));
        return source(source).destination(destination);
    }

    /** {@return the correct {@link #headerChecksum()} for the header's other fields, 0..65535 (RFC 1071)} */
    public int computeChecksum() {
        return ~fold(sum() - headerChecksum()) & 0xffff;
    }

    /** {@return whether the header checksum is correct for the header's other fields} */
    public boolean checksumValid() {
        return fold(sum()) == 0xffff;
    }

    private long sum() {
        long sum = 0;
        for (int field = 0; field < LENGTH; field += 4) {
            long word = get32(field) & 0xffff_ffffL;
            sum += (word >>> 16) + (word & 0xffff);
        }
        return sum;
    }

    /**
     * Adds the carries of a sum to its lower 16 bits, twice, so that the sum of the ten 16-bit words of an IPv4 header
     * fits in 16 bits.
     */
    private static int fold(long sum) {
        long once = (sum >>> 16) + (sum & 0xffff);
        return (int) ((once >>> 16) + (once & 0xffff));
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append(GidAddress.format(source())).append("->").append(GidAddress.format(destination()));
        out.append(" len=").append(totalLength()).append(" id=0x%04x".formatted(identification()));
        out.append(" frag=0x%04x".formatted(flagsAndFragment())).append(" ttl=").append(timeToLive());
        out.append(" tos=0x%02x".formatted(trafficClass())).append(" proto=").append(protocol());
    }
}
