// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The ACK extended transport header (InfiniBand Architecture Specification, volume 1, sections 9.5 and 9.7.5). Its
 * syndrome has the kind of acknowledgement: bits 7..5 are the kind, bits 4..0 credits, RNR timer or NAK code.
 *
 * <pre>{@code
 * byte   0        1
 *       +--------+--------------------------+
 *     0 |syndrome|           MSN            |
 *       +--------+--------------------------+
 * }</pre>
 */
public final class Aeth extends Flyweight<Aeth> {
    /** Length of the header in bytes. */
    public static final int LENGTH = 4;

    /** Offset of the syndrome in bytes. */
    public static final int SYNDROME_OFFSET = 0;

    /** Offset of the MSN in bytes. */
    public static final int MSN_OFFSET = 1;

    /** The syndrome of an ACK without end-to-end credits, the only ACK that rdma_rxe sends. */
    public static final int SYNDROME_ACK_UNLIMITED = 0x1f;

    /** The syndrome of an RNR NAK, to be or-ed with the RNR timer code. */
    public static final int RNR = 0x20;

    /** The syndrome of the NAK "PSN sequence error". */
    public static final int NAK_PSN_SEQUENCE = 0x60;

    /** The syndrome of the NAK "invalid request". */
    public static final int NAK_INVALID_REQUEST = 0x61;

    /** The syndrome of the NAK "remote access error". */
    public static final int NAK_REMOTE_ACCESS = 0x62;

    /** The syndrome of the NAK "remote operational error". */
    public static final int NAK_REMOTE_OPERATIONAL = 0x63;

    private static final int KIND_SHIFT = 5;
    private static final int VALUE_MASK = 0x1f;

    /** The kind of acknowledgement that a syndrome encodes. */
    public enum Kind {
        /** All requests up to the PSN of the packet have been executed. */
        ACK,
        /** The responder has no receive buffer; try again after the time of the RNR timer code. */
        RNR_NAK,
        /** The request was refused; the {@linkplain Aeth#nakCode() code} is the reason. */
        NAK,
        /** A syndrome without meaning. */
        RESERVED
    }

    /** Creates a header that views nothing until it is wrapped. */
    public Aeth() {}

    /** {@return the syndrome byte, 0..255} */
    public int syndrome() {
        return get8(SYNDROME_OFFSET);
    }

    /**
     * Sets the syndrome.
     *
     * @param value the syndrome byte
     * @return this
     */
    public Aeth syndrome(int value) {
        put8(SYNDROME_OFFSET, value);
        return this;
    }

    /** {@return the message sequence number: how many messages the responder has completed, modulo 2^24} */
    public int msn() {
        return get24(MSN_OFFSET);
    }

    /**
     * Sets the MSN.
     *
     * @param value the message sequence number
     * @return this
     */
    public Aeth msn(int value) {
        put24(MSN_OFFSET, value);
        return this;
    }

    /**
     * Writes a whole header.
     *
     * @param syndrome the syndrome byte
     * @param msn the message sequence number; low 24 bits are stored
     * @return this
     */
    public Aeth initialize(int syndrome, int msn) {
        put32(SYNDROME_OFFSET, (syndrome << 24) | (msn & Psn.MASK));
        return this;
    }

    /** {@return the kind of acknowledgement in this header} */
    public Kind kind() {
        return kind(syndrome());
    }

    /**
     * Returns the kind of a syndrome.
     *
     * @param syndrome the syndrome byte
     * @return the kind of acknowledgement
     */
    public static Kind kind(int syndrome) {
        return switch ((syndrome & 0xff) >>> KIND_SHIFT) {
            case 0 -> Kind.ACK;
            case 1 -> Kind.RNR_NAK;
            case 3 -> Kind.NAK;
            default -> Kind.RESERVED;
        };
    }

    /**
     * {@return for a NAK, why: 0 PSN sequence error, 1 invalid request, 2 remote access error, 3 remote operational error,
     * 4 invalid RD request, 5..31 reserved}
     */
    public int nakCode() {
        return syndrome() & VALUE_MASK;
    }

    /** {@return for an RNR NAK, the code of the time to wait, 0..31, where 0 is 655.36 ms} */
    public int rnrTimerCode() {
        return rnrTimerCode(syndrome());
    }

    /**
     * Returns the wait that an RNR NAK requests.
     *
     * @param syndrome the syndrome byte of an RNR NAK
     * @return the code of the time to wait, 0..31, where 0 is 655.36 ms
     */
    public static int rnrTimerCode(int syndrome) {
        return syndrome & VALUE_MASK;
    }

    /** {@return for an ACK, the code of the receive credits, 0..30, or 31 when credits are not used} */
    public int creditCode() {
        return syndrome() & VALUE_MASK;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append(
                switch (kind()) {
                    case ACK -> "ACK credits=" + creditCode();
                    case RNR_NAK -> "RNR_NAK timer=" + rnrTimerCode();
                    case NAK -> "NAK code=" + nakCode();
                    case RESERVED -> "reserved syndrome=0x%02x".formatted(syndrome());
                });
        out.append(" msn=0x%06x".formatted(msn()));
    }
}
