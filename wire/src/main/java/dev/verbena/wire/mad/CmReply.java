// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The REP, with which the passive side accepts a connection (InfiniBand Architecture Specification, volume 1,
 * section 12.6.8).
 */
public final class CmReply extends CmConnectionMessage<CmReply> {
    private static final FieldTable<CmReply> TABLE = new FieldTable<>(IDS);

    /** The number of the sender's queue pair. */
    public static final Field<CmReply> LOCAL_QPN = TABLE.field("localQpn", 36, 24);

    /** The high byte of the ECE vendor ID; 0 if the sender does not use ECE (enhanced connection establishment). */
    public static final Field<CmReply> VENDOR_ID_HIGH = TABLE.field("vendorIdHigh", 39, 8);

    /** The middle byte of the ECE (enhanced connection establishment) vendor ID. */
    public static final Field<CmReply> VENDOR_ID_MIDDLE = TABLE.field("vendorIdMiddle", 43, 8);

    /** The PSN of the first packet that the receiver of this REP will send. */
    public static final Field<CmReply> STARTING_PSN = TABLE.field("startingPsn", 44, 24);

    /** The low byte of the ECE (enhanced connection establishment) vendor ID. */
    public static final Field<CmReply> VENDOR_ID_LOW = TABLE.field("vendorIdLow", 47, 8);

    /** The maximum number of RDMA READs and atomics that the sender executes at the same time. */
    public static final Field<CmReply> RESPONDER_RESOURCES = TABLE.field("responderResources", 48, 8);

    /** The maximum number of RDMA READs and atomics that the sender will have outstanding. */
    public static final Field<CmReply> INITIATOR_DEPTH = TABLE.field("initiatorDepth", 49, 8);

    /** The maximum time by which the sender delays ACKs, 4.096 us * 2^n with n in 0..31. */
    public static final Field<CmReply> TARGET_ACK_DELAY = TABLE.field("targetAckDelay", 50, 0, 5);

    /** The state of the alternate path: 0 accepted, 1 not supported, 2 rejected. */
    public static final Field<CmReply> FAILOVER_ACCEPTED = TABLE.field("failoverAccepted", 50, 5, 2);

    /** Whether the sender's queue pair uses end-to-end credits. */
    public static final Field<CmReply> END_TO_END_FLOW_CONTROL = TABLE.field("endToEndFlowControl", 50, 7, 1);

    /** The RNR retry count for the receiver's queue pair, 0..6, or 7 for unlimited retries. */
    public static final Field<CmReply> RNR_RETRY_COUNT = TABLE.field("rnrRetryCount", 51, 0, 3);

    /** Whether the sender's queue pair uses a shared receive queue. */
    public static final Field<CmReply> SRQ = TABLE.field("srq", 51, 3, 1);

    /** The GUID of the message sender's node. */
    public static final Field<CmReply> LOCAL_CA_GUID = TABLE.field("localCaGuid", 52, 64);

    /** Creates a flyweight for a message. Call {@link #wrap} before any other method. */
    public CmReply() {
        super(CmAttribute.REP, TABLE, 60);
    }
}
