package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;

/**
 * The REQ, with which the active side requests a connection (InfiniBand Architecture Specification, volume 1, section
 * 12.6.5).
 *
 * <pre>{@code
 * bytes     bits  field
 * 0..23           MAD header
 * 24..27          communication ID of the sender
 * 29..31          vendor id
 * 32..39          service ID
 * 40..47          node GUID
 * 56..58          QPN
 * 59              responder resources
 * 63              initiator depth
 * 67        7..3  remote CM response timeout
 * 67        2..1  transport service type
 * 67        0     end to end flow control
 * 68..70          starting PSN
 * 71        7..3  local CM response timeout
 * 71        2..0  retry count
 * 72..73          P_Key
 * 74        7..4  path MTU
 * 74        2..0  RNR retry count
 * 75        7..4  CM retry limit
 * 75        3     SRQ bit
 * 75        2..0  extended transport type
 * 76..119         primary path
 * 120..163        alternate path
 * 164..255        private data
 * }</pre>
 */
public final class CmRequest extends CmMessage {
    /** Offset of the communication ID of the sender in bytes. */
    public static final int LOCAL_COMM_ID_OFFSET = 24;

    /** Offset of the vendor id in bytes. */
    public static final int VENDOR_ID_OFFSET = 29;

    /** Offset of the service ID in bytes. */
    public static final int SERVICE_ID_OFFSET = 32;

    /** Offset of the node GUID in bytes. */
    public static final int LOCAL_CA_GUID_OFFSET = 40;

    /** Offset of the QPN in bytes. */
    public static final int LOCAL_QPN_OFFSET = 56;

    /** Offset of the responder resources in bytes. */
    public static final int RESPONDER_RESOURCES_OFFSET = 59;

    /** Offset of the initiator depth in bytes. */
    public static final int INITIATOR_DEPTH_OFFSET = 63;

    /** Offset of the remote CM response timeout in bytes. */
    public static final int REMOTE_CM_RESPONSE_TIMEOUT_OFFSET = 67;

    /** Offset of the transport service type in bytes. */
    public static final int TRANSPORT_SERVICE_TYPE_OFFSET = 67;

    /** Offset of the end to end flow control in bytes. */
    public static final int END_TO_END_FLOW_CONTROL_OFFSET = 67;

    /** Offset of the starting PSN in bytes. */
    public static final int STARTING_PSN_OFFSET = 68;

    /** Offset of the local CM response timeout in bytes. */
    public static final int LOCAL_CM_RESPONSE_TIMEOUT_OFFSET = 71;

    /** Offset of the retry count in bytes. */
    public static final int RETRY_COUNT_OFFSET = 71;

    /** Offset of the P_Key in bytes. */
    public static final int PARTITION_KEY_OFFSET = 72;

    /** Offset of the path MTU in bytes. */
    public static final int PATH_MTU_OFFSET = 74;

    /** Offset of the RNR retry count in bytes. */
    public static final int RNR_RETRY_COUNT_OFFSET = 74;

    /** Offset of the CM retry limit in bytes. */
    public static final int MAX_CM_RETRIES_OFFSET = 75;

    /** Offset of the SRQ bit in bytes. */
    public static final int SRQ_OFFSET = 75;

    /** Offset of the extended transport type in bytes. */
    public static final int EXTENDED_TRANSPORT_TYPE_OFFSET = 75;

    /** Offset of the primary path in bytes. */
    public static final int PRIMARY_PATH_OFFSET = 76;

    /** Offset of the alternate path in bytes, which is all zeros on RoCE. */
    public static final int ALTERNATE_PATH_OFFSET = 120;

    /** Transport service type: reliable connection. */
    public static final int RC = 0;

    /** Transport service type: unreliable connection. */
    public static final int UC = 1;

    /** Transport service type: reliable datagram. */
    public static final int RD = 2;

    /** Transport service type: see {@link #extendedTransportType()}. */
    public static final int EXTENDED = 3;

    /** Offset of the private data in bytes. */
    public static final int PRIVATE_DATA_OFFSET = 164;

    /** Length of the private data in bytes. */
    public static final int PRIVATE_DATA_LENGTH = 92;

    private static final int REMOTE_CM_RESPONSE_TIMEOUT_MASK = 0xf8;
    private static final int TRANSPORT_SERVICE_TYPE_MASK = 0x06;
    private static final int END_TO_END_FLOW_CONTROL_MASK = 0x01;
    private static final int LOCAL_CM_RESPONSE_TIMEOUT_MASK = 0xf8;
    private static final int RETRY_COUNT_MASK = 0x07;
    private static final int PATH_MTU_MASK = 0xf0;
    private static final int RNR_RETRY_COUNT_MASK = 0x07;
    private static final int MAX_CM_RETRIES_MASK = 0xf0;
    private static final int SRQ_MASK = 0x08;
    private static final int EXTENDED_TRANSPORT_TYPE_MASK = 0x07;

    private final CmPath primaryPath = new CmPath();
    private final CmPath alternatePath = new CmPath();

    /** Creates a message that views nothing until it is wrapped. */
    public CmRequest() {
        super(CmAttribute.REQ, PRIVATE_DATA_OFFSET);
    }

    /**
     * Points this flyweight at a MAD of {@link MadHeader#MAD_LENGTH} bytes.
     *
     * @param segment the bytes of the packet
     * @param offset where the MAD starts in the segment, in bytes
     * @return this
     */
    public CmRequest wrap(MemorySegment segment, long offset) {
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
    public CmRequest localCommId(int value) {
        put32(LOCAL_COMM_ID_OFFSET, value);
        return this;
    }

    /** {@return the vendor ID of enhanced connection establishment, 0 without} */
    public int vendorId() {
        return get24(VENDOR_ID_OFFSET);
    }

    /**
     * Sets the vendor id.
     *
     * @param value the vendor ID
     * @return this
     */
    public CmRequest vendorId(int value) {
        put24(VENDOR_ID_OFFSET, value);
        return this;
    }

    /** {@return the service to connect to; see {@link ServiceId}} */
    public long serviceId() {
        return get64(SERVICE_ID_OFFSET);
    }

    /**
     * Sets the service ID.
     *
     * @param value the service ID
     * @return this
     */
    public CmRequest serviceId(long value) {
        put64(SERVICE_ID_OFFSET, value);
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
    public CmRequest localCaGuid(long value) {
        put64(LOCAL_CA_GUID_OFFSET, value);
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
    public CmRequest localQpn(int value) {
        put24(LOCAL_QPN_OFFSET, value);
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
    public CmRequest responderResources(int value) {
        put8(RESPONDER_RESOURCES_OFFSET, value);
        return this;
    }

    /** {@return how many RDMA READs and atomics the sender wants to have outstanding} */
    public int initiatorDepth() {
        return get8(INITIATOR_DEPTH_OFFSET);
    }

    /**
     * Sets the initiator depth.
     *
     * @param value the number, 0..255
     * @return this
     */
    public CmRequest initiatorDepth(int value) {
        put8(INITIATOR_DEPTH_OFFSET, value);
        return this;
    }

    /** {@return the time within which the receiver is to answer, 4.096 us * 2^n with n in 0..31} */
    public int remoteCmResponseTimeout() {
        return getBits(REMOTE_CM_RESPONSE_TIMEOUT_OFFSET, REMOTE_CM_RESPONSE_TIMEOUT_MASK);
    }

    /**
     * Sets the remote CM response timeout.
     *
     * @param value the exponent
     * @return this
     */
    public CmRequest remoteCmResponseTimeout(int value) {
        putBits(REMOTE_CM_RESPONSE_TIMEOUT_OFFSET, REMOTE_CM_RESPONSE_TIMEOUT_MASK, value);
        return this;
    }

    /** {@return {@link #RC}, {@link #UC}, {@link #RD} or {@link #EXTENDED}} */
    public int transportServiceType() {
        return getBits(TRANSPORT_SERVICE_TYPE_OFFSET, TRANSPORT_SERVICE_TYPE_MASK);
    }

    /**
     * Sets the transport service type.
     *
     * @param value the transport
     * @return this
     */
    public CmRequest transportServiceType(int value) {
        putBits(TRANSPORT_SERVICE_TYPE_OFFSET, TRANSPORT_SERVICE_TYPE_MASK, value);
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
    public CmRequest endToEndFlowControl(boolean value) {
        putBits(END_TO_END_FLOW_CONTROL_OFFSET, END_TO_END_FLOW_CONTROL_MASK, value ? 1 : 0);
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
    public CmRequest startingPsn(int value) {
        put24(STARTING_PSN_OFFSET, value);
        return this;
    }

    /** {@return the time that the sender takes for an answer at most, 4.096 us * 2^n with n in 0..31} */
    public int localCmResponseTimeout() {
        return getBits(LOCAL_CM_RESPONSE_TIMEOUT_OFFSET, LOCAL_CM_RESPONSE_TIMEOUT_MASK);
    }

    /**
     * Sets the local CM response timeout.
     *
     * @param value the exponent
     * @return this
     */
    public CmRequest localCmResponseTimeout(int value) {
        putBits(LOCAL_CM_RESPONSE_TIMEOUT_OFFSET, LOCAL_CM_RESPONSE_TIMEOUT_MASK, value);
        return this;
    }

    /** {@return how often the receiver of this message repeats packets that are not acknowledged, 0..7} */
    public int retryCount() {
        return getBits(RETRY_COUNT_OFFSET, RETRY_COUNT_MASK);
    }

    /**
     * Sets the retry count.
     *
     * @param value the count
     * @return this
     */
    public CmRequest retryCount(int value) {
        putBits(RETRY_COUNT_OFFSET, RETRY_COUNT_MASK, value);
        return this;
    }

    /** {@return the P_Key of the connection} */
    public int partitionKey() {
        return get16(PARTITION_KEY_OFFSET);
    }

    /**
     * Sets the P_Key.
     *
     * @param value the P_Key
     * @return this
     */
    public CmRequest partitionKey(int value) {
        put16(PARTITION_KEY_OFFSET, value);
        return this;
    }

    /** {@return the path MTU as an encoded number: 1 is 256 bytes, 2 is 512, 3 is 1024, 4 is 2048, 5 is 4096} */
    public int pathMtu() {
        return getBits(PATH_MTU_OFFSET, PATH_MTU_MASK);
    }

    /**
     * Sets the path MTU.
     *
     * @param value the encoded MTU
     * @return this
     */
    public CmRequest pathMtu(int value) {
        putBits(PATH_MTU_OFFSET, PATH_MTU_MASK, value);
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
    public CmRequest rnrRetryCount(int value) {
        putBits(RNR_RETRY_COUNT_OFFSET, RNR_RETRY_COUNT_MASK, value);
        return this;
    }

    /** {@return how often the sender repeats a CM message that is not answered, 0..15} */
    public int maxCmRetries() {
        return getBits(MAX_CM_RETRIES_OFFSET, MAX_CM_RETRIES_MASK);
    }

    /**
     * Sets the CM retry limit.
     *
     * @param value the count
     * @return this
     */
    public CmRequest maxCmRetries(int value) {
        putBits(MAX_CM_RETRIES_OFFSET, MAX_CM_RETRIES_MASK, value);
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
    public CmRequest srq(boolean value) {
        putBits(SRQ_OFFSET, SRQ_MASK, value ? 1 : 0);
        return this;
    }

    /** {@return with {@link #EXTENDED}: 1 is XRC} */
    public int extendedTransportType() {
        return getBits(EXTENDED_TRANSPORT_TYPE_OFFSET, EXTENDED_TRANSPORT_TYPE_MASK);
    }

    /**
     * Sets the extended transport type.
     *
     * @param value the type
     * @return this
     */
    public CmRequest extendedTransportType(int value) {
        putBits(EXTENDED_TRANSPORT_TYPE_OFFSET, EXTENDED_TRANSPORT_TYPE_MASK, value);
        return this;
    }

    /** {@return the primary path, the same object every time} */
    public CmPath primaryPath() {
        return primaryPath.wrap(segment(), offset() + PRIMARY_PATH_OFFSET);
    }

    /** {@return the alternate path, the same object every time} */
    public CmPath alternatePath() {
        return alternatePath.wrap(segment(), offset() + ALTERNATE_PATH_OFFSET);
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("local=0x%08x service=0x%016x qpn=0x%06x psn=0x%06x"
                .formatted(localCommId(), serviceId(), localQpn(), startingPsn()));
        out.append(" resources=%d depth=%d mtu=%d retry=%d rnrRetry=%d "
                .formatted(responderResources(), initiatorDepth(), pathMtu(), retryCount(), rnrRetryCount()));
        out.append(primaryPath());
    }
}
