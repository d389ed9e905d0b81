// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A frequent mistake of programs that use verbs. A completion status seldom identifies the mistake. A provider that detects such
 * mistakes reports them by {@link QueuePair#explain()} and {@link WorkCompletion#explain()}, each with its observation.
 *
 * @since 1.0
 */
public enum Hint {
    /** Messages arrived before the program had posted any receive. */
    SEND_BEFORE_RECEIVE("post receives before the peer can send: in INIT, or before the connection is accepted"),
    /** Messages arrived while the receive queue was empty, although receives had been posted before. */
    RECEIVE_QUEUE_EMPTY(
            "post more receives, post them again sooner, or let the sender count credits; on RC each miss costs an RNR timer"),
    /** A message arrived while the shared receive queue was empty. */
    SRQ_EMPTY("post more receives to the shared queue, and set its limit so that an event tells in time"),
    /** The RNR timer has code 0, which is the longest and not the shortest timer. */
    RNR_TIMER_IS_655_MS(
            "code 0 is the longest span; set min_rnr_timer by RnrTimer.atLeast, code 1 is 10 us, 12 is 640 us"),
    /** The RNR retry count is 7, which means unlimited, while the peer has no receive. */
    RNR_RETRY_FOREVER("7 means without end; use 0 to 6 so that a peer without receives is noticed"),
    /** The RNR retry count is 0. */
    RNR_RETRY_COUNT_0("the first message that finds no receive ends the connection; raise rnr_retry, 7 is without end"),
    /** The queue pair has no acknowledgement timeout. */
    NO_ACK_TIMEOUT(
            "timeout 0 waits for ever, so that a lost packet or a dead peer is never noticed; 14 (67 ms) is usual"),
    /** The retry count is 0. */
    RETRY_COUNT_0("a single lost packet ends the connection; 7 is usual"),
    /** The peer has never sent a packet. */
    PEER_NEVER_ANSWERED(
            "look at the peer's explain(): is it in RTR or RTS, does it expect this QP number and this GID, and which PSN?"),
    /** The peer has sent packets before, but no longer replies. */
    PEER_WENT_SILENT(
            "see whether the peer still runs and its queue pair is not in ERR, or whether the link loses packets"),
    /** No device on the network has the peer's address. */
    PEER_UNREACHABLE("check the destination GID: a wrong GID index of the peer, or a peer that is not there yet"),
    /** The peer of a reliable connection refused a request; only the peer knows the reason. */
    PEER_REFUSED("the peer's own explain() tells which rule was broken; its completions and events name the status"),
    /** The two queue pairs have different path MTUs. */
    PATH_MTU_MISMATCH("give both sides the same path MTU, the smaller of their ports' active MTUs"),
    /** The PSN of the first packet is far from the expected PSN. */
    PSN_MISMATCH("give this side as rq_psn what the peer has as sq_psn, and the other way round"),
    /** No region or window has the key. */
    KEY_UNKNOWN(
            "its region or window was closed, invalidated or unbound, or the number was sent in the wrong byte order"),
    /** The key belongs to another protection domain, or to a window of another queue pair. */
    KEY_OF_ANOTHER_DOMAIN("register the memory in the protection domain of the queue pair that is to use the key"),
    /** The region or window does not grant the access right. */
    KEY_LACKS_RIGHT("register the memory, or bind the window, with the access flag"),
    /** The range is not completely within the region or window. */
    KEY_OUT_OF_RANGE("check address and length against what was registered; an address counts from the region's iova"),
    /** The memory of a region no longer exists: its arena was closed, or its mapped file was truncated. */
    MEMORY_CLOSED("keep the arena open, and a mapped file at its length, until the region is closed"),
    /** The queue pair does not grant the peer the requested access. */
    QP_LACKS_ACCESS("give the queue pair the access flag in INIT; the flags of the region are not enough"),
    /** The queue pair must not issue READs and atomics, because its max_rd_atomic is 0. */
    MAX_RD_ATOMIC_0("set max_rd_atomic to at least 1 when going to RTS, and the peer's max_dest_rd_atomic with it"),
    /** The queue pair does not accept READs and atomics, because its max_dest_rd_atomic is 0. */
    MAX_DEST_RD_ATOMIC_0("set max_dest_rd_atomic to at least the peer's max_rd_atomic when going to RTR"),
    /** An atomic operation or ATOMIC_WRITE on an address that is not a multiple of eight. */
    ATOMIC_MISALIGNED("give atomics eight bytes at an address that is a multiple of eight"),
    /** A message was longer than its receive. */
    RECEIVE_TOO_SMALL("post receives as long as the longest message"),
    /** The receive of a datagram has no space for the global route header. */
    NO_ROOM_FOR_ROUTING_HEADER("post receives of 40 bytes more than the payload on UD"),
    /** A datagram was longer than the path MTU. */
    DATAGRAM_TOO_LONG("send at most the port's active MTU in one datagram"),
    /** The key of a local scatter/gather entry does not grant the right that the request needs. */
    LOCAL_KEY_REFUSED(
            "look at the scatter-gather entry: region open, of this domain, long enough, LOCAL_WRITE for what arrives"),
    /** The device refused to bind a window, or to register or invalidate a key. */
    LOCAL_OPERATION_REFUSED("look at the rights (MW_BIND), the range, the key's state and its queue pair"),
    /** A SEND with invalidate named a key that the peer must not invalidate. */
    INVALIDATE_REFUSED(
            "invalidate only keys of fast registrations and of type 2 windows, which are valid at that time"),
    /** Packets arrived in a state in which the queue pair does not accept packets. */
    PACKETS_BEFORE_RTR("take the queue pair to RTR before the peer sends, and to RTS before it is answered"),
    /** The program posted requests in a state in which the queue pair does not accept them. */
    POST_IN_WRONG_STATE("post sends in RTS, receives from INIT on; look at the result of each post"),
    /** Datagrams arrived with a Q_Key that the queue pair does not have. */
    WRONG_QKEY("give both sides the same Q_Key; with bit 31 set the sender's own one is used"),
    /** Packets arrived with a P_Key that the queue pair does not have. */
    WRONG_PKEY("RoCE knows the default partition 0xFFFF only; look at the sender's P_Key index"),
    /** Packets for a connected queue pair had a source or destination address that is not that of its path. */
    WRONG_SOURCE("look at both sides' GID index and destination GID; the path must be the same in both directions"),
    /** The completion queue was full. */
    CQ_OVERRUN(
            "make it as large as all requests that may be outstanding on its queue pairs together, or poll more often"),
    /** The send queue was full. */
    SEND_QUEUE_FULL("poll completions before posting more, or ask for a deeper queue"),
    /** The program filled the send queue with unsignaled requests. */
    NEVER_SIGNALED(
            "signal one request in every half queue: hardware frees the slots when a signaled completion is polled"),
    /** Messages of an unreliable transport were dropped without a report. */
    UNRELIABLE_DROPS("UC and UD drop what they cannot receive without a report; count messages, or use RC"),
    /** The peer retransmitted packets, because its ACK timeout expired before the reply arrived. */
    ANSWERS_TOO_LATE(
            "the peer sends again before it has the answer: raise its ACK timeout, or look for loss on the way back"),
    /** A reply of the peer matches no request. */
    NONSENSE_ANSWER(
            "look for an earlier connection with the same numbers: begin with random PSNs, use QP numbers again late"),
    /** The program itself, or the connection manager, moved the queue pair to ERR. */
    TAKEN_TO_ERROR("flushed requests are the expected end then: a disconnect, or a close");

    private final String cure;

    Hint(String cure) {
        this.cure = cure;
    }

    /** {@return the remedy, a sentence without a full stop} */
    public String cure() {
        return cure;
    }
}
