// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A frequent mistake of applications that use verbs. The status of a completion seldom identifies the mistake. If a
 * provider detects a mistake, the diagnosis that {@link QueuePair#explain()} or {@link WorkCompletion#explain()} returns
 * contains the hint and the observed events and values.
 *
 * @since 1.0
 */
public enum Hint {
    /** Messages arrived before the application had posted any receive request. */
    SEND_BEFORE_RECEIVE("post receives before the peer can send: in INIT, or before the connection is accepted"),
    /**
     * Messages arrived while the receive queue was empty, although receive requests had been posted before. At the
     * requester: the RNR retries of a message were used up, because the peer still had no receive request.
     */
    RECEIVE_QUEUE_EMPTY(
            "post more receives, post them again sooner, or let the sender count credits; on RC each message without a receive costs an RNR timer"),
    /** A message arrived while the shared receive queue had no receive request. */
    SRQ_EMPTY(
            "post more receives to the shared receive queue, and arm its limit, so that an event reports a lack of receives in time"),
    /** The RNR timer has the encoded value 0, which means the longest time, 655 ms, and not the shortest. */
    RNR_TIMER_IS_655_MS(
            "code 0 is the longest timer; set min_rnr_timer by RnrTimer.atLeast: code 1 is 10 us, code 12 is 640 us"),
    /** The RNR retry count is 7, which means unlimited, and the peer had no receive request for a message. */
    RNR_RETRY_FOREVER("7 means unlimited; use 0 to 6, so that a peer without receives causes a failed completion"),
    /** The RNR retry count is 0, so that the first RNR NAK fails the work request. */
    RNR_RETRY_COUNT_0(
            "with rnr_retry 0, one message without a posted receive ends the connection; raise rnr_retry (7 means unlimited)"),
    /** The queue pair has no acknowledgement timeout. */
    NO_ACK_TIMEOUT(
            "a timeout of 0 means that the requester never detects a lost packet or a dead peer; 14 (67 ms) is usual"),
    /** The retry count is 0. */
    RETRY_COUNT_0("with retry_cnt 0, a single lost packet ends the connection; raise retry_cnt (usually 7)"),
    /** The queue pair has never received a response from the peer, although the peer's GID is reachable. */
    PEER_NEVER_ANSWERED(
            "check the peer's explain(): is its queue pair in RTR or RTS, and does it expect this QP number, this GID and this PSN?"),
    /** The peer has sent responses before, but no longer responds. */
    PEER_WENT_SILENT(
            "check whether the peer still runs, whether its queue pair is in ERR, and whether the link loses packets"),
    /** No reachable port has the peer's GID. */
    PEER_UNREACHABLE("check the destination GID: the peer may use another GID index, or may not be running yet"),
    /** The responder of an RC peer refused a request packet with a NAK; only the peer knows the reason. */
    PEER_REFUSED("the peer's own explain() names the broken rule; its completions and events name the status"),
    /** The two queue pairs have different path MTUs. */
    PATH_MTU_MISMATCH("set one path MTU on both queue pairs; it must not exceed the active MTU of either port"),
    /** Request packets arrived, but none of them had the expected PSN. */
    PSN_MISMATCH("set rq_psn of each queue pair to the sq_psn of its peer"),
    /** No memory region or window has the R_Key of a peer's request packet. */
    KEY_UNKNOWN(
            "the region or window of the key was closed, invalidated or unbound, or the program sent the key in the wrong byte order"),
    /**
     * The R_Key of a peer's request packet belongs to a memory region of another protection domain, or to a memory window
     * of another queue pair or protection domain.
     */
    KEY_OF_ANOTHER_DOMAIN("register the memory in the protection domain of the queue pair that uses the key"),
    /** The memory region or window does not grant the access right that a peer's request packet needs. */
    KEY_LACKS_RIGHT("register the memory region or bind the memory window with this access right"),
    /** The range that a peer's request packet accesses is not completely within the memory region or window. */
    KEY_OUT_OF_RANGE(
            "check address and length against the registered range; remote addresses start at the region's iova"),
    /** The memory of a region no longer exists: its arena was closed, or its mapped file was truncated. */
    MEMORY_CLOSED("do not close the arena and do not truncate the mapped file until the memory region is closed"),
    /** The queue pair does not grant the peer the requested access right. */
    QP_LACKS_ACCESS("set the access flag of the queue pair in INIT; the flags of the region are not sufficient"),
    /** The queue pair must not issue READs and atomics, because its max_rd_atomic is 0. */
    MAX_RD_ATOMIC_0(
            "set max_rd_atomic to at least 1 in the transition to RTS; set the peer's max_dest_rd_atomic to at least this value"),
    /** The queue pair does not accept READs and atomics, because its max_dest_rd_atomic is 0. */
    MAX_DEST_RD_ATOMIC_0("set max_dest_rd_atomic to at least the peer's max_rd_atomic in the transition to RTR"),
    /** The remote address of an atomic or an ATOMIC_WRITE is not a multiple of eight. */
    ATOMIC_MISALIGNED("use eight bytes at a remote address that is a multiple of eight"),
    /** A message was longer than the buffers of the receive request. */
    RECEIVE_TOO_SMALL("post receives that are as long as the longest message"),
    /** The buffers of a receive request had space for the payload of a datagram, but not for the global route header. */
    NO_ROOM_FOR_ROUTING_HEADER("on UD, post receives that are 40 bytes longer than the payload"),
    /** A datagram was longer than the path MTU. */
    DATAGRAM_TOO_LONG("send at most the port's active MTU in one datagram"),
    /**
     * The access check of a local scatter/gather entry failed: its L_Key is unknown, belongs to another protection domain,
     * lacks an access right, or does not cover the range.
     */
    LOCAL_KEY_REFUSED(
            "check the scatter/gather entry: its region must be open, must belong to the queue pair's protection domain, must contain the entry, and needs LOCAL_WRITE for incoming data"),
    /** The device refused to execute a work request with the opcode BIND_MW, REG_MR or LOCAL_INV. */
    LOCAL_OPERATION_REFUSED(
            "check the access rights (MW_BIND), the range, and the state and the queue pair of the key"),
    /** The peer sent a SEND with invalidate for an R_Key that the peer must not invalidate. */
    INVALIDATE_REFUSED("invalidate only valid keys of fast registrations and of type 2 windows"),
    /** Packets arrived in a state in which the queue pair does not accept packets. */
    PACKETS_BEFORE_RTR("modify the queue pair to RTR before the peer sends, and to RTS before the peer replies"),
    /** The application posted work requests in a state in which the queue pair does not accept them. */
    POST_IN_WRONG_STATE("post sends in RTS, and receives from INIT on; check the result of each post"),
    /** Datagrams arrived with a Q_Key that differs from the queue pair's Q_Key. */
    WRONG_QKEY(
            "set the same Q_Key on both queue pairs; if bit 31 of a send's Q_Key is set, the sender uses its queue pair's own Q_Key"),
    /** Packets arrived with a P_Key that does not match the queue pair's P_Key. */
    WRONG_PKEY("RoCE has only the default partition 0xFFFF; check the sender's P_Key index"),
    /**
     * Packets for a connected queue pair had a source or destination GID that differs from the queue pair's address vector.
     */
    WRONG_SOURCE(
            "check GID index and destination GID of both queue pairs; the path must be the same in both directions"),
    /** A completion queue was full when a completion arrived. */
    CQ_OVERRUN(
            "make the completion queue as large as the sum of all outstanding requests of its queue pairs, or poll more often"),
    /** The send queue was full when the application posted a work request. */
    SEND_QUEUE_FULL("poll completions before posting more requests, or create the queue pair with a deeper send queue"),
    /** The number of consecutive unsignaled requests reached the depth of the send queue. */
    NEVER_SIGNALED(
            "signal at least one request in each half of the queue: hardware frees the slots when the program polls a signaled completion"),
    /** A UC or UD queue pair dropped messages without an error. */
    UNRELIABLE_DROPS(
            "a UC or UD queue pair drops a message that it cannot receive, and reports no error; count the messages, or use RC"),
    /**
     * The peer retransmitted request packets that had already been executed, because its ACK timeout expired before it
     * received the response.
     */
    ANSWERS_TOO_LATE(
            "the peer retransmits before it gets the reply: raise its ACK timeout, or check the link to the peer for loss"),
    /** The peer sent a response that matches no outstanding request. */
    NONSENSE_ANSWER(
            "an earlier connection may have had the same QP number: start with random PSNs, and do not reuse QP numbers soon"),
    /** The application itself, or the connection manager, moved the queue pair to ERR. */
    TAKEN_TO_ERROR("flushed requests are the expected result of a disconnect or a close");

    private final String cure;

    Hint(String cure) {
        this.cure = cure;
    }

    /** {@return the remedy, as a sentence without a full stop} */
    public String cure() {
        return cure;
    }
}
