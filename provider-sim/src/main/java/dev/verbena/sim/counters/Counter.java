// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.counters;

/** The counters of a device. A counter that rdma_rxe has under hw_counters has the same name in this enum. */
public enum Counter {
    /** The number of packets handed to the fabric. */
    SENT_PKTS("sent_pkts", "packets handed to the fabric"),
    /** The number of bytes in packets handed to the fabric. */
    SENT_BYTES("sent_bytes", "bytes handed to the fabric, with IP headers"),
    /** The number of packets that passed the header checks. */
    RCVD_PKTS("rcvd_pkts", "packets that passed the header checks"),
    /** The number of bytes in packets that passed the header checks. */
    RCVD_BYTES("rcvd_bytes", "bytes of packets that passed the header checks, with IP headers"),
    /** The number of SENDs that completed. */
    RDMA_SENDS("rdma_sends", "SENDs of all kinds that completed, with success or with an error of their own"),
    /** The number of receive requests that a message completed with SUCCESS. */
    RDMA_RECVS("rdma_recvs", "receives that were completed by a message"),
    /** The number of duplicate request packets received. */
    DUPLICATE_REQUEST("duplicate_request", "requests that were received before and are answered again or dropped"),
    /** The number of request packets with a PSN after the expected PSN. */
    OUT_OF_SEQ_REQUEST("out_of_seq_request", "requests ahead of the expected PSN, so that an earlier packet was lost"),
    /** The number of RNR NAKs received. */
    RCVD_RNR_ERR("rcvd_rnr_err", "RNR NAKs received: the peer had no receive posted"),
    /** The number of RNR NAKs sent. */
    SEND_RNR_ERR("send_rnr_err", "RNR NAKs sent: a message arrived before a receive was posted"),
    /** The number of received NAKs that report a PSN sequence error. */
    RCVD_SEQ_ERR("rcvd_seq_err", "NAKs received because the peer missed a packet"),
    /** The number of responses queued for the completer. */
    ACK_DEFERRED("ack_deferred", "responses that were queued for the completer"),
    /** The number of times that the port went down. */
    LINK_DOWNED("link_downed", "times that the port was detached from its network"),
    /** The number of queue pairs that failed because they had used up their retries. */
    RETRY_EXCEEDED_ERR("retry_exceeded_err", "queue pairs that ended because the peer stopped answering"),
    /** The number of queue pairs that failed because they had used up their RNR retries. */
    RETRY_RNR_EXCEEDED_ERR("retry_rnr_exceeded_err", "queue pairs that ended because the peer posted no receive"),
    /** The number of times that a requester restarted from an earlier packet to retransmit. */
    COMPLETER_RETRY_ERR("completer_retry_err", "times that sending went back to the oldest unacknowledged packet"),
    /** The number of send requests that failed in the local requester, without a response from the peer. */
    SEND_ERR("send_err", "send requests that failed on this side"),
    /** The number of retransmitted request packets. */
    RETRANSMITTED_PKTS("retransmitted_pkts", "request packets sent again"),
    /**
     * The number of packets dropped because a length or another header field is wrong, or because the opcode is unknown.
     */
    DROPPED_MALFORMED("dropped_malformed", "packets dropped because a header is malformed or the opcode is unknown"),
    /** The number of packets dropped because of a wrong ICRC. */
    DROPPED_ICRC("dropped_icrc", "packets dropped because their ICRC is wrong"),
    /** The number of packets dropped because they are addressed to another port or queue pair. */
    DROPPED_ADDRESS("dropped_address", "packets dropped because an address is not this port's or not the peer's"),
    /** The number of packets dropped because no queue pair has their destination QPN. */
    DROPPED_UNKNOWN_QP("dropped_unknown_qp", "packets dropped because there is no such queue pair"),
    /** The number of packets dropped because their opcode does not belong to the transport of the queue pair. */
    DROPPED_WRONG_TRANSPORT("dropped_wrong_transport", "packets dropped because the queue pair has another transport"),
    /** The number of congestion notification packets (CNP) dropped, because the device has no congestion control. */
    DROPPED_CNP("dropped_cnp", "congestion notifications dropped because the device has no congestion control"),
    /** The number of packets dropped because the queue pair's state does not permit them. */
    DROPPED_QP_STATE("dropped_qp_state", "packets dropped because of the queue pair's state"),
    /** The number of packets dropped because the queue pair's packet queue is full. */
    DROPPED_BACKLOG("dropped_backlog", "packets dropped because too many wait for a queue pair already"),
    /** The number of packets dropped because of a P_Key mismatch. */
    DROPPED_PKEY("dropped_pkey", "packets dropped because of their P_Key"),
    /** The number of packets dropped because of a Q_Key mismatch. */
    DROPPED_QKEY("dropped_qkey", "packets dropped because of their Q_Key"),
    /** The number of UC and UD packets dropped because no receive request was posted. */
    DROPPED_NO_RECEIVE("dropped_no_receive", "UC and UD messages dropped because no receive was posted"),
    /** The number of UC packets dropped because an earlier packet of the message is missing. */
    DROPPED_INCOMPLETE(
            "dropped_incomplete", "UC packets dropped because an earlier packet of their message is missing"),
    /** The number of UC and UD packets dropped because they are malformed, too long or not permitted to access memory. */
    DROPPED_REFUSED(
            "dropped_refused", "UC and UD packets dropped because of their length, or because memory is not granted"),
    /** The number of packets that passed the header checks but whose queue pair then failed or was reset. */
    DROPPED_FAILED_QP(
            "dropped_failed_qp",
            "packets dropped because their queue pair had failed or was reset before it processed them"),
    /** The number of packets dropped because the fabric threw an exception. */
    DROPPED_BY_FABRIC(
            "dropped_by_fabric",
            "packets lost because the fabric, a link rule or a tap threw an exception; each is reported as uncaught"),
    /** The number of packets dropped because the library threw an exception. */
    DROPPED_BY_EXCEPTION(
            "dropped_by_exception",
            "packets dropped because of an exception before their queue pair had them; each is reported as uncaught"),
    /** The number of queue pairs that moved to ERR because of an exception. */
    ENGINE_FAILURES(
            "engine_failures",
            "exceptions inside the engines of queue pairs, which move to ERR with QP_FATAL; each is reported"),
    /** The number of packets dropped because they were sent to QP 1 and no connection manager runs on this device. */
    DROPPED_UNMANAGED(
            "dropped_unmanaged", "management datagrams dropped because no connection manager runs on the device"),
    /** The number of responses dropped because they match no outstanding request. */
    DROPPED_RESPONSE("dropped_response", "responses dropped because they match no outstanding request");

    private final String label;
    private final String description;

    Counter(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /** {@return the counter's name in lower case with underscores, like a file name in hw_counters of sysfs} */
    public String label() {
        return label;
    }

    /** {@return a phrase that describes the events that this counter counts} */
    public String description() {
        return description;
    }
}
