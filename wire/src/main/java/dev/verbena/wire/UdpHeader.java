// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The UDP header (RFC 768) before the BTH. RoCEv2 packets have UDP checksum 0 over IPv4 and IPv6, because the ICRC protects
 * them.
 *
 * <pre>{@code
 * byte   0                 2
 *       +-----------------+-----------------+
 *     0 |   source port   | destination port|
 *       +-----------------+-----------------+
 *     4 |     length      |    checksum     |
 *       +-----------------+-----------------+
 * }</pre>
 */
public final class UdpHeader extends Flyweight<UdpHeader> {
    /** The length of the UDP header in bytes. */
    public static final int LENGTH = 8;

    /** The offset of the source port within the UDP header, in bytes. */
    public static final int SOURCE_PORT_OFFSET = 0;

    /** The offset of the destination port within the UDP header, in bytes. */
    public static final int DESTINATION_PORT_OFFSET = 2;

    /** The offset of the datagram length within the UDP header, in bytes. */
    public static final int LENGTH_OFFSET = 4;

    /** The offset of the checksum within the UDP header, in bytes. */
    public static final int CHECKSUM_OFFSET = 6;

    /** The UDP destination port of RoCEv2, assigned by IANA. */
    public static final int ROCE_PORT = 4791;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    public UdpHeader() {}

    /** {@return the source port, which only distributes flows over paths; see {@link UdpSourcePort}} */
    public int sourcePort() {
        return get16(SOURCE_PORT_OFFSET);
    }

    /**
     * Sets the source port.
     *
     * @param value the source port, 0..65535
     * @return this
     */
    public UdpHeader sourcePort(int value) {
        put16(SOURCE_PORT_OFFSET, value);
        return this;
    }

    /** {@return the destination port; {@link #ROCE_PORT} for RoCEv2} */
    public int destinationPort() {
        return get16(DESTINATION_PORT_OFFSET);
    }

    /**
     * Sets the destination port.
     *
     * @param value the destination port, 0..65535
     * @return this
     */
    public UdpHeader destinationPort(int value) {
        put16(DESTINATION_PORT_OFFSET, value);
        return this;
    }

    /** {@return the length of the datagram in bytes, from the UDP header to the end of the ICRC} */
    public int length() {
        return get16(LENGTH_OFFSET);
    }

    /**
     * Sets the length.
     *
     * @param value length in bytes
     * @return this
     */
    public UdpHeader length(int value) {
        put16(LENGTH_OFFSET, value);
        return this;
    }

    /** {@return the checksum, 0 for none} */
    public int checksum() {
        return get16(CHECKSUM_OFFSET);
    }

    /**
     * Sets the checksum.
     *
     * @param value the checksum, 0 for none
     * @return this
     */
    public UdpHeader checksum(int value) {
        put16(CHECKSUM_OFFSET, value);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append(sourcePort())
                .append("->")
                .append(destinationPort())
                .append(" len=")
                .append(length());
        out.append(" checksum=0x%04x".formatted(checksum()));
    }
}
