// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The base transport header, which follows the UDP header in every RoCEv2 packet (InfiniBand Architecture Specification,
 * volume 1, section 9.2).
 *
 * <pre>{@code
 * byte   0        1               2 3
 *       +--------+---------------+-----------------+
 *     0 | OpCode |SE M Pad2 TVer4|      P_Key      |
 *       +--------+---------------+-----------------+
 *     4 |FECN BECN resv6|     destination QPN      |
 *       +---------------+--------------------------+
 *     8 |AckReq resv7   |           PSN            |
 *       +---------------+--------------------------+
 * }</pre>
 */
public final class Bth extends Flyweight<Bth> {
    /** The length of the BTH in bytes. */
    public static final int LENGTH = 12;

    /** The offset of the opcode within the BTH, in bytes. */
    public static final int OPCODE_OFFSET = 0;

    /** The offset of the solicited event bit within the BTH, in bytes. */
    public static final int SOLICITED_EVENT_OFFSET = 1;

    /** The offset of the MigReq bit within the BTH, in bytes. */
    public static final int MIGRATION_REQUEST_OFFSET = 1;

    /** The offset of the pad count within the BTH, in bytes. */
    public static final int PAD_COUNT_OFFSET = 1;

    /** The offset of the transport version within the BTH, in bytes. */
    public static final int TRANSPORT_VERSION_OFFSET = 1;

    /** The offset of the P_Key within the BTH, in bytes. */
    public static final int PARTITION_KEY_OFFSET = 2;

    /** The offset of the FECN bit within the BTH, in bytes. */
    public static final int FECN_OFFSET = 4;

    /** The offset of the BECN bit within the BTH, in bytes. */
    public static final int BECN_OFFSET = 4;

    /** The offset of the destination QPN within the BTH, in bytes. */
    public static final int DESTINATION_QPN_OFFSET = 5;

    /** The offset of the AckReq bit within the BTH, in bytes. */
    public static final int ACK_REQUEST_OFFSET = 8;

    /** The offset of the PSN within the BTH, in bytes. */
    public static final int PSN_OFFSET = 9;

    /** The P_Key of the default partition with full membership, the only P_Key of most RoCEv2 networks. */
    public static final int DEFAULT_PARTITION_KEY = 0xffff;

    /** The destination queue pair number of a multicast datagram. */
    public static final int MULTICAST_QPN = 0xff_ffff;

    private static final int SOLICITED_EVENT_MASK = 0x80;
    private static final int MIGRATION_REQUEST_MASK = 0x40;
    private static final int PAD_COUNT_MASK = 0x30;
    private static final int TRANSPORT_VERSION_MASK = 0x0f;
    private static final int FECN_MASK = 0x80;
    private static final int BECN_MASK = 0x40;
    private static final int ACK_REQUEST_MASK = 0x80;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    public Bth() {}

    /**
     * Returns the bytes of a BTH that precede the AckReq bit; FECN and BECN are 0.
     *
     * @param opcode the opcode of the packet
     * @param solicitedEvent the solicited event bit
     * @param migrationRequest the M bit
     * @param padCount the number of padding bytes after the payload, 0..3
     * @param partitionKey the P_Key
     * @param destinationQpn the destination QPN, 24 bits
     * @return the first {@link #ACK_REQUEST_OFFSET} bytes of the BTH; the first byte is in the highest bits
     */
    public static long start(
            Opcode opcode,
            boolean solicitedEvent,
            boolean migrationRequest,
            int padCount,
            int partitionKey,
            int destinationQpn) {
        int flags = (solicitedEvent ? SOLICITED_EVENT_MASK : 0)
                | (migrationRequest ? MIGRATION_REQUEST_MASK : 0)
                | padCount * (PAD_COUNT_MASK & -PAD_COUNT_MASK);
        int first = ((opcode.code() << Byte.SIZE | flags) << Short.SIZE) | partitionKey;
        return (long) first << Integer.SIZE | destinationQpn;
    }

    /** {@return the opcode byte, 0..255, which {@link Opcode#of(int)} decodes} */
    public int opcode() {
        return get8(OPCODE_OFFSET);
    }

    /**
     * Sets the opcode.
     *
     * @param value the opcode byte, as returned by {@link Opcode#code()}
     * @return this
     */
    public Bth opcode(int value) {
        put8(OPCODE_OFFSET, value);
        return this;
    }

    /** {@return the solicited event bit: whether the packet wakes threads that wait only for solicited events} */
    public boolean solicitedEvent() {
        return (get8(SOLICITED_EVENT_OFFSET) & SOLICITED_EVENT_MASK) != 0;
    }

    /**
     * Sets the solicited event bit.
     *
     * @param value true to wake threads that wait only for solicited events
     * @return this
     */
    public Bth solicitedEvent(boolean value) {
        putBits(SOLICITED_EVENT_OFFSET, SOLICITED_EVENT_MASK, value ? 1 : 0);
        return this;
    }

    /** {@return the MigReq bit, which has no meaning on RoCEv2; rdma_rxe sends 0, and most adapters send 1} */
    public boolean migrationRequest() {
        return (get8(MIGRATION_REQUEST_OFFSET) & MIGRATION_REQUEST_MASK) != 0;
    }

    /**
     * Sets the MigReq bit.
     *
     * @param value the bit
     * @return this
     */
    public Bth migrationRequest(boolean value) {
        putBits(MIGRATION_REQUEST_OFFSET, MIGRATION_REQUEST_MASK, value ? 1 : 0);
        return this;
    }

    /** {@return the number of zero bytes after the payload, 0..3} */
    public int padCount() {
        return getBits(PAD_COUNT_OFFSET, PAD_COUNT_MASK);
    }

    /**
     * Sets the pad count.
     *
     * @param value bytes of padding, 0..3
     * @return this
     */
    public Bth padCount(int value) {
        putBits(PAD_COUNT_OFFSET, PAD_COUNT_MASK, value);
        return this;
    }

    /** {@return the version of the transport headers, 0..15; receivers drop packets with a version other than 0} */
    public int transportVersion() {
        return getBits(TRANSPORT_VERSION_OFFSET, TRANSPORT_VERSION_MASK);
    }

    /**
     * Sets the transport version.
     *
     * @param value the version, 0
     * @return this
     */
    public Bth transportVersion(int value) {
        putBits(TRANSPORT_VERSION_OFFSET, TRANSPORT_VERSION_MASK, value);
        return this;
    }

    /** {@return the P_Key, 0..0xffff; bit 15 means full membership} */
    public int partitionKey() {
        return get16(PARTITION_KEY_OFFSET);
    }

    /**
     * Sets the P_Key.
     *
     * @param value the P_Key, {@link #DEFAULT_PARTITION_KEY} on RoCEv2
     * @return this
     */
    public Bth partitionKey(int value) {
        put16(PARTITION_KEY_OFFSET, value);
        return this;
    }

    /** {@return the FECN bit (forward congestion notification), which the ICRC does not cover} */
    public boolean fecn() {
        return (get8(FECN_OFFSET) & FECN_MASK) != 0;
    }

    /**
     * Sets the FECN bit.
     *
     * @param value the bit
     * @return this
     */
    public Bth fecn(boolean value) {
        putBits(FECN_OFFSET, FECN_MASK, value ? 1 : 0);
        return this;
    }

    /** {@return the BECN bit (backward congestion notification), which is set in CNPs and not covered by the ICRC} */
    public boolean becn() {
        return (get8(BECN_OFFSET) & BECN_MASK) != 0;
    }

    /**
     * Sets the BECN bit.
     *
     * @param value the bit
     * @return this
     */
    public Bth becn(boolean value) {
        putBits(BECN_OFFSET, BECN_MASK, value ? 1 : 0);
        return this;
    }

    /** {@return the number of the destination queue pair, 0..0xffffff; {@link #MULTICAST_QPN} for a multicast group} */
    public int destinationQpn() {
        return get24(DESTINATION_QPN_OFFSET);
    }

    /**
     * Sets the destination QPN.
     *
     * @param value the queue pair number
     * @return this
     */
    public Bth destinationQpn(int value) {
        put24(DESTINATION_QPN_OFFSET, value);
        return this;
    }

    /** {@return whether the requester requests an acknowledgement of the packet} */
    public boolean ackRequest() {
        return (get8(ACK_REQUEST_OFFSET) & ACK_REQUEST_MASK) != 0;
    }

    /**
     * Sets the AckReq bit.
     *
     * @param value true to request an acknowledgement
     * @return this
     */
    public Bth ackRequest(boolean value) {
        putBits(ACK_REQUEST_OFFSET, ACK_REQUEST_MASK, value ? 1 : 0);
        return this;
    }

    /** {@return the packet sequence number, 0..2^24-1; see {@link Psn}} */
    public int psn() {
        return get24(PSN_OFFSET);
    }

    /**
     * Sets the PSN.
     *
     * @param value the packet sequence number
     * @return this
     */
    public Bth psn(int value) {
        put24(PSN_OFFSET, value);
        return this;
    }

    /**
     * Writes a whole BTH with the given opcode and the {@linkplain #DEFAULT_PARTITION_KEY default P_Key}; all other fields
     * are 0.
     *
     * @param opcode the opcode of the packet
     * @return this
     */
    public Bth initialize(Opcode opcode) {
        put32(OPCODE_OFFSET, (opcode.code() << 24) | DEFAULT_PARTITION_KEY);
        put64(FECN_OFFSET, 0);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        Opcode known = Opcode.of(opcode());
        out.append(known == null ? "opcode=0x%02x".formatted(opcode()) : known.name());
        out.append(" qpn=0x%06x psn=0x%06x".formatted(destinationQpn(), psn()));
        if (ackRequest()) {
            out.append(" ackReq");
        }
        if (solicitedEvent()) {
            out.append(" se");
        }
        if (migrationRequest()) {
            out.append(" m");
        }
        if (fecn()) {
            out.append(" fecn");
        }
        if (becn()) {
            out.append(" becn");
        }
        out.append(" pad=").append(padCount());
        out.append(" tver=").append(transportVersion());
        out.append(" pkey=0x%04x".formatted(partitionKey()));
    }
}
