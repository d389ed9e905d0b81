// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The ACK extended transport header (InfiniBand Architecture Specification, volume 1, sections 9.5 and 9.7.5). In the AETH
 * syndrome, bits 7..5 are the acknowledgement type, and bits 4..0 are the credit code, RNR timer code or NAK code.
 *
 * <pre>{@code
 * byte   0        1
 *       +--------+--------------------------+
 *     0 |syndrome|           MSN            |
 *       +--------+--------------------------+
 * }</pre>
 */
public final class Aeth extends Flyweight<Aeth> {
    /** The length of the AETH in bytes. */
    public static final int LENGTH = 4;

    /** The offset of the syndrome within the AETH, in bytes. */
    public static final int SYNDROME_OFFSET = 0;

    /** The offset of the MSN within the AETH, in bytes. */
    public static final int MSN_OFFSET = 1;

    /** The syndrome of an ACK without end-to-end credits, and of each ACK of rdma_rxe. */
    public static final int SYNDROME_ACK_UNLIMITED = 0x1f;

    /** The syndrome of an RNR NAK with RNR timer code 0. The low five bits of the syndrome contain the timer code. */
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

    /** The acknowledgement types that an AETH syndrome can encode. */
    public enum Kind {
        /** The responder has executed all requests up to the PSN of the packet. */
        ACK,
        /** The responder has no posted receive request; the requester must wait for the time of the RNR timer code. */
        RNR_NAK,
        /** A NAK: the responder refused the request, and the {@linkplain Aeth#nakCode() NAK code} is the reason. */
        NAK,
        /** The syndrome has a reserved value. */
        RESERVED
    }

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
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

    /** {@return the message sequence number (MSN): the number of messages that the responder completed, modulo 2^24} */
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
     * @param msn the message sequence number; the low 24 bits are stored
     * @return this
     */
    public Aeth initialize(int syndrome, int msn) {
        put32(SYNDROME_OFFSET, (syndrome << 24) | (msn & Psn.MASK));
        return this;
    }

    /** {@return the acknowledgement type in this header} */
    public Kind kind() {
        return kind(syndrome());
    }

    /**
     * {@return the acknowledgement type that a syndrome encodes}
     *
     * @param syndrome the syndrome byte
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
     * {@return the reason for a NAK: 0 PSN sequence error, 1 invalid request, 2 remote access error, 3 remote operational
     * error, 4 invalid RD request, 5..31 reserved}
     */
    public int nakCode() {
        return syndrome() & VALUE_MASK;
    }

    /** {@return the RNR timer code of an RNR NAK, 0..31; code 0 means 655.36 ms} */
    public int rnrTimerCode() {
        return rnrTimerCode(syndrome());
    }

    /**
     * {@return the RNR timer code of a syndrome, 0..31; code 0 means 655.36 ms}
     *
     * @param syndrome the syndrome byte of an RNR NAK
     */
    public static int rnrTimerCode(int syndrome) {
        return syndrome & VALUE_MASK;
    }

    /** {@return the credit code of an ACK, 0..30, or 31 if end-to-end credits are not used} */
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
