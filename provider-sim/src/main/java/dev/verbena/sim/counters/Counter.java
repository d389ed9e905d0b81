// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.counters;

/** A counter of a device. The first constants have the names that rdma_rxe shows under hw_counters. */
public enum Counter {
    /** Packets handed to the fabric. */
    SENT_PKTS("sent_pkts", "packets handed to the fabric"),
    /** Bytes handed to the fabric. */
    SENT_BYTES("sent_bytes", "bytes handed to the fabric, with IP headers"),
    /** Packets that passed the header checks. */
    RCVD_PKTS("rcvd_pkts", "packets that passed the header checks"),
    /** Bytes of packets that passed the header checks. */
    RCVD_BYTES("rcvd_bytes", "bytes of packets that passed the header checks, with IP headers"),
    /** SENDs that completed. */
    RDMA_SENDS("rdma_sends", "SENDs of all kinds that ended, well or with an error of their own"),
    /** Receives that a message completed. */
    RDMA_RECVS("rdma_recvs", "receives that were completed by a message"),
    /** Requests that were already received. */
    DUPLICATE_REQUEST("duplicate_request", "requests that were received before and are answered again or dropped"),
    /** Requests ahead of the expected PSN. */
    OUT_OF_SEQ_REQUEST(
            "out_of_seq_request", "requests ahead of the expected PSN, so that something before them was lost"),
    /** RNR NAKs received. */
    RCVD_RNR_ERR("rcvd_rnr_err", "RNR NAKs received: the peer had no receive posted"),
    /** RNR NAKs sent. */
    SEND_RNR_ERR("send_rnr_err", "RNR NAKs sent: a message came before a receive was posted"),
    /** NAKs for a PSN sequence error received. */
    RCVD_SEQ_ERR("rcvd_seq_err", "NAKs received because the peer missed a packet"),
    /** Responses queued for the completer. */
    ACK_DEFERRED("ack_deferred", "responses that were queued for the completer"),
    /** Times that the port went down. */
    LINK_DOWNED("link_downed", "times that the port was detached from its network"),
    /** Queue pairs that failed because the retries were used up. */
    RETRY_EXCEEDED_ERR("retry_exceeded_err", "queue pairs that ended because the peer stopped answering"),
    /** Queue pairs that failed because the RNR retries were used up. */
    RETRY_RNR_EXCEEDED_ERR("retry_rnr_exceeded_err", "queue pairs that ended because the peer posted no receive"),
    /** Times that sending returned to an earlier packet. */
    COMPLETER_RETRY_ERR("completer_retry_err", "times that sending went back to the oldest unacknowledged packet"),
    /** Requests that failed on this side. */
    SEND_ERR("send_err", "send requests that failed on this side"),
    /** Request packets sent again. */
    RETRANSMITTED_PKTS("retransmitted_pkts", "request packets sent again"),
    /** Dropped: not RoCEv2, truncated, or of an unknown opcode. */
    DROPPED_MALFORMED("dropped_malformed", "packets dropped because a header is malformed or the opcode is unknown"),
    /** Dropped: wrong ICRC. */
    DROPPED_ICRC("dropped_icrc", "packets dropped because their ICRC is wrong"),
    /** Dropped: addressed to another port or queue pair. */
    DROPPED_ADDRESS("dropped_address", "packets dropped because an address is not this port's or not the peer's"),
    /** Dropped: no such queue pair. */
    DROPPED_UNKNOWN_QP("dropped_unknown_qp", "packets dropped because there is no such queue pair"),
    /** Dropped: the queue pair is of another type. */
    DROPPED_WRONG_TRANSPORT("dropped_wrong_transport", "packets dropped because the queue pair has another transport"),
    /** Dropped: the queue pair's state does not permit it. */
    DROPPED_QP_STATE("dropped_qp_state", "packets dropped because of the queue pair's state"),
    /** Dropped: the queue pair's queue of packets is full. */
    DROPPED_BACKLOG("dropped_backlog", "packets dropped because too many wait for a queue pair already"),
    /** Dropped: P_Key mismatch. */
    DROPPED_PKEY("dropped_pkey", "packets dropped because of their P_Key"),
    /** Dropped: Q_Key mismatch. */
    DROPPED_QKEY("dropped_qkey", "packets dropped because of their Q_Key"),
    /** Dropped: UC or UD, no receive. */
    DROPPED_NO_RECEIVE("dropped_no_receive", "UC and UD messages dropped because no receive was posted"),
    /** Dropped: UC, another part of the message is missing. */
    DROPPED_INCOMPLETE(
            "dropped_incomplete", "UC packets dropped because a part of their message before them is missing"),
    /** Dropped: UC or UD, malformed, too long or not granted. */
    DROPPED_REFUSED(
            "dropped_refused", "UC and UD packets dropped because of their length, or because memory is not granted"),
    /** Dropped: passed the header checks, but the queue pair had failed before it processed them. */
    DROPPED_FAILED_QP(
            "dropped_failed_qp",
            "packets dropped because their queue pair had failed or was reset before it came to them"),
    /** Dropped: the fabric threw an exception. */
    DROPPED_BY_FABRIC(
            "dropped_by_fabric",
            "packets lost because the fabric, a link rule or a tap threw an exception; each is reported as uncaught"),
    /** Dropped: this library threw an exception. */
    DROPPED_BY_EXCEPTION(
            "dropped_by_exception",
            "packets dropped because an exception came up before their queue pair had them; each is reported as uncaught"),
    /** Queue pairs that moved to ERR because of an exception. */
    ENGINE_FAILURES(
            "engine_failures",
            "exceptions inside the engines of queue pairs, which take these to ERR with QP_FATAL; each is reported as uncaught"),
    /** Dropped: sent to QP 1, but no connection manager runs here. */
    DROPPED_UNMANAGED("dropped_unmanaged", "management datagrams dropped because nothing here manages connections"),
    /** Dropped: responses that match no outstanding request. */
    DROPPED_RESPONSE("dropped_response", "responses dropped because they answer nothing that is outstanding");

    private final String label;
    private final String description;

    Counter(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /**
     * Returns the name for display.
     *
     * @return lower case with underscores, as under hw_counters
     */
    public String label() {
        return label;
    }

    /**
     * Returns a description of the counted event.
     *
     * @return a phrase
     */
    public String description() {
        return description;
    }
}
