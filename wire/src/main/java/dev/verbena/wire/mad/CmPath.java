package dev.verbena.wire.mad;

import dev.verbena.wire.Flyweight;
import dev.verbena.wire.GidAddress;
import java.lang.foreign.MemorySegment;

/**
 * One path in a {@link CmRequest}: how packets get from the sender to the receiver (InfiniBand Architecture
 * Specification, volume 1, section 12.6.5). On RoCE the LIDs are {@link #PERMISSIVE_LID} and the GIDs are IP
 * addresses.
 *
 * <pre>{@code
 * byte   0                 2
 *       +-----------------+-----------------+
 *     0 |    local LID    |   remote LID    |
 *       +-----------------+-----------------+
 *     4 |         local GID (16)            |
 *       +-----------------------------------+
 *    20 |         remote GID (16)           |
 *       +--------------------------+--------+
 *    36 | flow label20  resv6      | rate6  |
 *       +--------+--------+--------+--------+
 *    40 |tr class|hop lim |SL4 SnL1| ack5   |
 *       +--------+--------+--------+--------+
 * }</pre>
 */
public final class CmPath extends Flyweight {
    /** Length of the header in bytes. */
    public static final int LENGTH = 44;

    /** Offset of the local LID in bytes. */
    public static final int LOCAL_LID_OFFSET = 0;

    /** Offset of the remote LID in bytes. */
    public static final int REMOTE_LID_OFFSET = 2;

    /** Offset of the first half of the local GID in bytes. */
    public static final int LOCAL_GID_HI_OFFSET = 4;

    /** Offset of the second half of the local GID in bytes. */
    public static final int LOCAL_GID_LO_OFFSET = 12;

    /** Offset of the first half of the remote GID in bytes. */
    public static final int REMOTE_GID_HI_OFFSET = 20;

    /** Offset of the second half of the remote GID in bytes. */
    public static final int REMOTE_GID_LO_OFFSET = 28;

    /** Offset of the packet rate in bytes. */
    public static final int PACKET_RATE_OFFSET = 39;

    /** Offset of the traffic class in bytes. */
    public static final int TRAFFIC_CLASS_OFFSET = 40;

    /** Offset of the hop limit in bytes. */
    public static final int HOP_LIMIT_OFFSET = 41;

    /** Offset of the service level in bytes. */
    public static final int SERVICE_LEVEL_OFFSET = 42;

    /** Offset of the subnet local in bytes. */
    public static final int SUBNET_LOCAL_OFFSET = 42;

    /** Offset of the local ACK timeout in bytes. */
    public static final int LOCAL_ACK_TIMEOUT_OFFSET = 43;

    /** The value for no LID. */
    public static final int PERMISSIVE_LID = 0xffff;

    private static final int FLOW_LABEL_OFFSET = 36;
    private static final int FLOW_LABEL_SHIFT = 4;

    private static final int PACKET_RATE_MASK = 0x3f;
    private static final int SERVICE_LEVEL_MASK = 0xf0;
    private static final int SUBNET_LOCAL_MASK = 0x08;
    private static final int LOCAL_ACK_TIMEOUT_MASK = 0xf8;

    /** Creates a header that views nothing until it is wrapped. */
    public CmPath() {}

    /**
     * Points this flyweight at a header.
     *
     * @param segment the bytes of the packet
     * @param offset where the header starts in the segment, in bytes
     * @return this
     */
    public CmPath wrap(MemorySegment segment, long offset) {
        attach(segment, offset);
        return this;
    }

    /** {@return the sender's LID} */
    public int localLid() {
        return get16(LOCAL_LID_OFFSET);
    }

    /**
     * Sets the local LID.
     *
     * @param value the LID
     * @return this
     */
    public CmPath localLid(int value) {
        put16(LOCAL_LID_OFFSET, value);
        return this;
    }

    /** {@return the receiver's LID} */
    public int remoteLid() {
        return get16(REMOTE_LID_OFFSET);
    }

    /**
     * Sets the remote LID.
     *
     * @param value the LID
     * @return this
     */
    public CmPath remoteLid(int value) {
        put16(REMOTE_LID_OFFSET, value);
        return this;
    }

    /** {@return the first eight bytes of the sender's GID} */
    public long localGidHi() {
        return get64(LOCAL_GID_HI_OFFSET);
    }

    /**
     * Sets the first half of the local GID.
     *
     * @param value the eight bytes
     * @return this
     */
    public CmPath localGidHi(long value) {
        put64(LOCAL_GID_HI_OFFSET, value);
        return this;
    }

    /** {@return the last eight bytes of the sender's GID} */
    public long localGidLo() {
        return get64(LOCAL_GID_LO_OFFSET);
    }

    /**
     * Sets the second half of the local GID.
     *
     * @param value the eight bytes
     * @return this
     */
    public CmPath localGidLo(long value) {
        put64(LOCAL_GID_LO_OFFSET, value);
        return this;
    }

    /** {@return the first eight bytes of the receiver's GID} */
    public long remoteGidHi() {
        return get64(REMOTE_GID_HI_OFFSET);
    }

    /**
     * Sets the first half of the remote GID.
     *
     * @param value the eight bytes
     * @return this
     */
    public CmPath remoteGidHi(long value) {
        put64(REMOTE_GID_HI_OFFSET, value);
        return this;
    }

    /** {@return the last eight bytes of the receiver's GID} */
    public long remoteGidLo() {
        return get64(REMOTE_GID_LO_OFFSET);
    }

    /**
     * Sets the second half of the remote GID.
     *
     * @param value the eight bytes
     * @return this
     */
    public CmPath remoteGidLo(long value) {
        put64(REMOTE_GID_LO_OFFSET, value);
        return this;
    }

    /** {@return the rate limit as an encoded number, 0 for that of the port} */
    public int packetRate() {
        return getBits(PACKET_RATE_OFFSET, PACKET_RATE_MASK);
    }

    /**
     * Sets the packet rate.
     *
     * @param value the encoded rate
     * @return this
     */
    public CmPath packetRate(int value) {
        putBits(PACKET_RATE_OFFSET, PACKET_RATE_MASK, value);
        return this;
    }

    /** {@return the traffic class, or IPv4 type of service} */
    public int trafficClass() {
        return get8(TRAFFIC_CLASS_OFFSET);
    }

    /**
     * Sets the traffic class.
     *
     * @param value the traffic class
     * @return this
     */
    public CmPath trafficClass(int value) {
        put8(TRAFFIC_CLASS_OFFSET, value);
        return this;
    }

    /** {@return the hop limit} */
    public int hopLimit() {
        return get8(HOP_LIMIT_OFFSET);
    }

    /**
     * Sets the hop limit.
     *
     * @param value the hop limit, 0..255
     * @return this
     */
    public CmPath hopLimit(int value) {
        put8(HOP_LIMIT_OFFSET, value);
        return this;
    }

    /** {@return the service level, 0..15} */
    public int serviceLevel() {
        return getBits(SERVICE_LEVEL_OFFSET, SERVICE_LEVEL_MASK);
    }

    /**
     * Sets the service level.
     *
     * @param value the service level
     * @return this
     */
    public CmPath serviceLevel(int value) {
        putBits(SERVICE_LEVEL_OFFSET, SERVICE_LEVEL_MASK, value);
        return this;
    }

    /** {@return true if both ends are in one subnet: hop limit 0 or 1} */
    public boolean subnetLocal() {
        return (get8(SUBNET_LOCAL_OFFSET) & SUBNET_LOCAL_MASK) != 0;
    }

    /**
     * Sets the subnet local.
     *
     * @param value true for one subnet
     * @return this
     */
    public CmPath subnetLocal(boolean value) {
        putBits(SUBNET_LOCAL_OFFSET, SUBNET_LOCAL_MASK, value ? 1 : 0);
        return this;
    }

    /** {@return the time that the sender's QP waits for an ACK, 4.096 us * 2^n with n in 0..31; 0 is for ever} */
    public int localAckTimeout() {
        return getBits(LOCAL_ACK_TIMEOUT_OFFSET, LOCAL_ACK_TIMEOUT_MASK);
    }

    /**
     * Sets the local ACK timeout.
     *
     * @param value the exponent
     * @return this
     */
    public CmPath localAckTimeout(int value) {
        putBits(LOCAL_ACK_TIMEOUT_OFFSET, LOCAL_ACK_TIMEOUT_MASK, value);
        return this;
    }

    /** {@return the flow label, 0..2^20-1; see {@link dev.verbena.wire.UdpSourcePort}} */
    public int flowLabel() {
        return get24(FLOW_LABEL_OFFSET) >>> FLOW_LABEL_SHIFT;
    }

    /**
     * Sets the flow label.
     *
     * @param value the flow label, 0..2^20-1
     * @return this
     */
    public CmPath flowLabel(int value) {
        int reserved = get24(FLOW_LABEL_OFFSET) & ((1 << FLOW_LABEL_SHIFT) - 1);
        put24(FLOW_LABEL_OFFSET, (value << FLOW_LABEL_SHIFT) | reserved);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append(GidAddress.format(localGidHi(), localGidLo())).append("->");
        out.append(GidAddress.format(remoteGidHi(), remoteGidLo()));
        out.append(" flow=0x%05x tc=0x%02x hop=%d sl=%d ackTimeout=%d"
                .formatted(flowLabel(), trafficClass(), hopLimit(), serviceLevel(), localAckTimeout()));
    }
}
