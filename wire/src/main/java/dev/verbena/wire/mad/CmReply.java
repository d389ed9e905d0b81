package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;

/**
 * The REP, with which the passive side accepts a connection (InfiniBand Architecture Specification, volume 1,
 * section 12.6.8).
 *
 * <pre>{@code
 * bytes     bits  field
 * 0..23           MAD header
 * 24..27          communication ID of the sender
 * 28..31          communication ID of the receiver
 * 36..38          QPN
 * 39              vendor ID, high byte
 * 43              vendor ID, middle byte
 * 44..46          starting PSN
 * 47              vendor ID, low byte
 * 48              responder resources
 * 49              initiator depth
 * 50        7..3  target ACK delay
 * 50        2..1  failover accepted
 * 50        0     end to end flow control
 * 51        7..5  RNR retry count
 * 51        4     SRQ bit
 * 52..59          node GUID
 * 60..255         private data
 * }</pre>
 */
public final class CmReply extends CmMessage {
    /** Offset of the communication ID of the sender in bytes. */
    public static final int LOCAL_COMM_ID_OFFSET = 24;

    /** Offset of the communication ID of the receiver in bytes. */
    public static final int REMOTE_COMM_ID_OFFSET = 28;

    /** Offset of the QPN in bytes. */
    public static final int LOCAL_QPN_OFFSET = 36;

    /** Offset of the starting PSN in bytes. */
    public static final int STARTING_PSN_OFFSET = 44;

    /** Offset of the responder resources in bytes. */
    public static final int RESPONDER_RESOURCES_OFFSET = 48;

    /** Offset of the initiator depth in bytes. */
    public static final int INITIATOR_DEPTH_OFFSET = 49;

    /** Offset of the target ACK delay in bytes. */
    public static final int TARGET_ACK_DELAY_OFFSET = 50;

    /** Offset of the failover accepted in bytes. */
    public static final int FAILOVER_ACCEPTED_OFFSET = 50;

    /** Offset of the end to end flow control in bytes. */
    public static final int END_TO_END_FLOW_CONTROL_OFFSET = 50;

    /** Offset of the RNR retry count in bytes. */
    public static final int RNR_RETRY_COUNT_OFFSET = 51;

    /** Offset of the SRQ bit in bytes. */
    public static final int SRQ_OFFSET = 51;

    /** Offset of the node GUID in bytes. */
    public static final int LOCAL_CA_GUID_OFFSET = 52;

    /** Offset of the private data in bytes. */
    public static final int PRIVATE_DATA_OFFSET = 60;

    /** Length of the private data in bytes. */
    public static final int PRIVATE_DATA_LENGTH = 196;

    private static final int VENDOR_ID_HIGH_OFFSET = 39;
    private static final int VENDOR_ID_MIDDLE_OFFSET = 43;
    private static final int VENDOR_ID_LOW_OFFSET = 47;

    private static final int TARGET_ACK_DELAY_MASK = 0xf8;
    private static final int FAILOVER_ACCEPTED_MASK = 0x06;
    private static final int END_TO_END_FLOW_CONTROL_MASK = 0x01;
    private static final int RNR_RETRY_COUNT_MASK = 0xe0;
    private static final int SRQ_MASK = 0x10;

    /** Creates a message that views nothing until it is wrapped. */
    public CmReply() {
        super(CmAttribute.REP, PRIVATE_DATA_OFFSET);
    }

    /**
     * Points this flyweight at a MAD of {@link MadHeader#MAD_LENGTH} bytes.
     *
     * @param segment the bytes of the packet
     * @param offset where the MAD starts in the segment, in bytes
     * @return this
     */
    public CmReply wrap(MemorySegment segment, long offset) {
        attachMad(segment, offset);
        return this;
    }

    /** {@return the ID that the sender of this message has for the connection, opaque} */
    public int localCommId() {
        return get32(LOCAL_COMM_ID_OFFSET);
    }

    /**
     * Sets the communication ID of the sender.
     *
     * @param value the communication ID
     * @return this
     */
    public CmReply localCommId(int value) {
        put32(LOCAL_COMM_ID_OFFSET, value);
        return this;
    }

    /** {@return the ID that the receiver of this message has for the connection, opaque} */
    public int remoteCommId() {
        return get32(REMOTE_COMM_ID_OFFSET);
    }

    /**
     * Sets the communication ID of the receiver.
     *
     * @param value the communication ID
     * @return this
     */
    public CmReply remoteCommId(int value) {
        put32(REMOTE_COMM_ID_OFFSET, value);
        return this;
    }

    /** {@return the number of the sender's queue pair} */
    public int localQpn() {
        return get24(LOCAL_QPN_OFFSET);
    }

    /**
     * Sets the QPN.
     *
     * @param value the queue pair number
     * @return this
     */
    public CmReply localQpn(int value) {
        put24(LOCAL_QPN_OFFSET, value);
        return this;
    }

    /** {@return the PSN that the receiver of this message starts sending with} */
    public int startingPsn() {
        return get24(STARTING_PSN_OFFSET);
    }

    /**
     * Sets the starting PSN.
     *
     * @param value the PSN
     * @return this
     */
    public CmReply startingPsn(int value) {
        put24(STARTING_PSN_OFFSET, value);
        return this;
    }

    /** {@return how many RDMA READs and atomics the sender takes at a time} */
    public int responderResources() {
        return get8(RESPONDER_RESOURCES_OFFSET);
    }

    /**
     * Sets the responder resources.
     *
     * @param value the number, 0..255
     * @return this
     */
    public CmReply responderResources(int value) {
        put8(RESPONDER_RESOURCES_OFFSET, value);
        return this;
    }

    /** {@return how many RDMA READs and atomics the sender will have outstanding} */
    public int initiatorDepth() {
        return get8(INITIATOR_DEPTH_OFFSET);
    }

    /**
     * Sets the initiator depth.
     *
     * @param value the number, 0..255
     * @return this
     */
    public CmReply initiatorDepth(int value) {
        put8(INITIATOR_DEPTH_OFFSET, value);
        return this;
    }

    /** {@return how long the sender delays ACKs at most, 4.096 us * 2^n with n in 0..31} */
    public int targetAckDelay() {
        return getBits(TARGET_ACK_DELAY_OFFSET, TARGET_ACK_DELAY_MASK);
    }

    /**
     * Sets the target ACK delay.
     *
     * @param value the exponent
     * @return this
     */
    public CmReply targetAckDelay(int value) {
        putBits(TARGET_ACK_DELAY_OFFSET, TARGET_ACK_DELAY_MASK, value);
        return this;
    }

    /** {@return the alternate path: 0 accepted, 1 not supported, 2 rejected} */
    public int failoverAccepted() {
        return getBits(FAILOVER_ACCEPTED_OFFSET, FAILOVER_ACCEPTED_MASK);
    }

    /**
     * Sets the failover accepted.
     *
     * @param value 0, 1 or 2
     * @return this
     */
    public CmReply failoverAccepted(int value) {
        putBits(FAILOVER_ACCEPTED_OFFSET, FAILOVER_ACCEPTED_MASK, value);
        return this;
    }

    /** {@return true if the sender's QP uses end-to-end credits} */
    public boolean endToEndFlowControl() {
        return (get8(END_TO_END_FLOW_CONTROL_OFFSET) & END_TO_END_FLOW_CONTROL_MASK) != 0;
    }

    /**
     * Sets the end to end flow control.
     *
     * @param value true to use credits
     * @return this
     */
    public CmReply endToEndFlowControl(boolean value) {
        putBits(END_TO_END_FLOW_CONTROL_OFFSET, END_TO_END_FLOW_CONTROL_MASK, value ? 1 : 0);
        return this;
    }

    /** {@return how often the receiver of this message repeats after an RNR NAK, 0..6, or 7 for ever} */
    public int rnrRetryCount() {
        return getBits(RNR_RETRY_COUNT_OFFSET, RNR_RETRY_COUNT_MASK);
    }

    /**
     * Sets the RNR retry count.
     *
     * @param value the count
     * @return this
     */
    public CmReply rnrRetryCount(int value) {
        putBits(RNR_RETRY_COUNT_OFFSET, RNR_RETRY_COUNT_MASK, value);
        return this;
    }

    /** {@return true if the sender's QP uses a shared receive queue} */
    public boolean srq() {
        return (get8(SRQ_OFFSET) & SRQ_MASK) != 0;
    }

    /**
     * Sets the SRQ bit.
     *
     * @param value true for a shared receive queue
     * @return this
     */
    public CmReply srq(boolean value) {
        putBits(SRQ_OFFSET, SRQ_MASK, value ? 1 : 0);
        return this;
    }

    /** {@return the GUID of the sender's node} */
    public long localCaGuid() {
        return get64(LOCAL_CA_GUID_OFFSET);
    }

    /**
     * Sets the node GUID.
     *
     * @param value the GUID
     * @return this
     */
    public CmReply localCaGuid(long value) {
        put64(LOCAL_CA_GUID_OFFSET, value);
        return this;
    }

    /** {@return the vendor ID of enhanced connection establishment, 24 bits from three places, 0 without} */
    public int vendorId() {
        return (get8(VENDOR_ID_HIGH_OFFSET) << 16) | (get8(VENDOR_ID_MIDDLE_OFFSET) << 8) | get8(VENDOR_ID_LOW_OFFSET);
    }

    /**
     * Sets the vendor ID.
     *
     * @param value the vendor ID, 24 bits
     * @return this
     */
    public CmReply vendorId(int value) {
        put8(VENDOR_ID_HIGH_OFFSET, value >>> 16);
        put8(VENDOR_ID_MIDDLE_OFFSET, value >>> 8);
        put8(VENDOR_ID_LOW_OFFSET, value);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("local=0x%08x remote=0x%08x".formatted(localCommId(), remoteCommId()));
        out.append(" qpn=0x%06x psn=0x%06x".formatted(localQpn(), startingPsn()));
        out.append(" resources=%d depth=%d rnrRetry=%d"
                .formatted(responderResources(), initiatorDepth(), rnrRetryCount()));
    }
}
