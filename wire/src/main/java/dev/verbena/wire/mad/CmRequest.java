// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The REQ, with which the active side requests a connection (InfiniBand Architecture Specification, volume 1, section
 * 12.6.5).
 */
public final class CmRequest extends CmMessage<CmRequest> {
    /** The transport service type of a reliable connection. */
    public static final int RC = 0;

    /** The transport service type of an unreliable connection. */
    public static final int UC = 1;

    /** The transport service type of a reliable datagram connection. */
    public static final int RD = 2;

    /** With this transport service type, the field {@link #EXTENDED_TRANSPORT_TYPE} identifies the transport. */
    public static final int EXTENDED = 3;

    private static final FieldTable<CmRequest> TABLE = new FieldTable<>();

    /** The ID that the sender of this message has chosen for the connection. */
    public static final Field<CmRequest> LOCAL_COMM_ID = TABLE.field("localCommId", 24, 32);

    /** The ECE vendor ID; 0 if the sender does not use ECE (enhanced connection establishment). */
    public static final Field<CmRequest> VENDOR_ID = TABLE.field("vendorId", 29, 24);

    /** The ID of the requested service; see {@link ServiceId}. */
    public static final Field<CmRequest> SERVICE_ID = TABLE.field("serviceId", 32, 64);

    /** The GUID of the message sender's node. */
    public static final Field<CmRequest> LOCAL_CA_GUID = TABLE.field("localCaGuid", 40, 64);

    /** The number of the sender's queue pair. */
    public static final Field<CmRequest> LOCAL_QPN = TABLE.field("localQpn", 56, 24);

    /** The maximum number of RDMA READs and atomics that the sender executes at the same time. */
    public static final Field<CmRequest> RESPONDER_RESOURCES = TABLE.field("responderResources", 59, 8);

    /** The sender requests to have at most this number of RDMA READs and atomics outstanding. */
    public static final Field<CmRequest> INITIATOR_DEPTH = TABLE.field("initiatorDepth", 63, 8);

    /** The time within which the receiver must respond to this REQ, 4.096 us * 2^n with n in 0..31. */
    public static final Field<CmRequest> REMOTE_CM_RESPONSE_TIMEOUT = TABLE.field("remoteCmResponseTimeout", 67, 0, 5);

    /** The transport service type: {@link #RC}, {@link #UC}, {@link #RD} or {@link #EXTENDED}. */
    public static final Field<CmRequest> TRANSPORT_SERVICE_TYPE = TABLE.field("transportServiceType", 67, 5, 2);

    /** Whether the sender's queue pair uses end-to-end credits. */
    public static final Field<CmRequest> END_TO_END_FLOW_CONTROL = TABLE.field("endToEndFlowControl", 67, 7, 1);

    /** The PSN of the first packet that the receiver of this REQ will send. */
    public static final Field<CmRequest> STARTING_PSN = TABLE.field("startingPsn", 68, 24);

    /** The maximum time that the sender needs to respond to a message, 4.096 us * 2^n with n in 0..31. */
    public static final Field<CmRequest> LOCAL_CM_RESPONSE_TIMEOUT = TABLE.field("localCmResponseTimeout", 71, 0, 5);

    /** The retry count for the receiver's queue pair, 0..7. */
    public static final Field<CmRequest> RETRY_COUNT = TABLE.field("retryCount", 71, 5, 3);

    /** The P_Key of the connection. */
    public static final Field<CmRequest> PARTITION_KEY = TABLE.field("partitionKey", 72, 16);

    /** The encoded path MTU: 1 is 256 bytes, 2 is 512, 3 is 1024, 4 is 2048, 5 is 4096. */
    public static final Field<CmRequest> PATH_MTU = TABLE.field("pathMtu", 74, 0, 4);

    /** The RNR retry count for the receiver's queue pair, 0..6, or 7 for unlimited retries. */
    public static final Field<CmRequest> RNR_RETRY_COUNT = TABLE.field("rnrRetryCount", 74, 5, 3);

    /** The number of times that the sender repeats a CM message without a response, 0..15. */
    public static final Field<CmRequest> MAX_CM_RETRIES = TABLE.field("maxCmRetries", 75, 0, 4);

    /** Whether the sender's queue pair uses a shared receive queue. */
    public static final Field<CmRequest> SRQ = TABLE.field("srq", 75, 4, 1);

    /** The transport if {@link #TRANSPORT_SERVICE_TYPE} is {@link #EXTENDED}; 1 means XRC. */
    public static final Field<CmRequest> EXTENDED_TRANSPORT_TYPE = TABLE.field("extendedTransportType", 75, 5, 3);

    private static final int PRIMARY_PATH = 76;
    private static final int ALTERNATE_PATH = PRIMARY_PATH + CmPath.LENGTH;

    private final CmPath primaryPath = new CmPath();
    private final CmPath alternatePath = new CmPath();

    /** Creates a flyweight for a message. Call {@link #wrap} before any other method. */
    public CmRequest() {
        super(CmAttribute.REQ, TABLE, 164);
    }

    /** {@return the primary path; always the same object} */
    public CmPath primaryPath() {
        return primaryPath.wrap(segment(), offset() + PRIMARY_PATH);
    }

    /** {@return the alternate path, which is all zeros on RoCE; always the same object} */
    public CmPath alternatePath() {
        return alternatePath.wrap(segment(), offset() + ALTERNATE_PATH);
    }

    @Override
    protected void describe(StringBuilder out) {
        super.describe(out);
        out.append(' ').append(primaryPath());
    }
}
