// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A frequent mistake of programs that use verbs, which a status seldom identifies. A provider that detects such
 * mistakes reports them by {@link QueuePair#explain()} and {@link WorkCompletion#explain()}, each with its observation.
 *
 * @since 1.0
 */
public enum Hint {
    /** Messages came before any receive was posted. */
    SEND_BEFORE_RECEIVE("post receives before the peer can send: in INIT, or before the connection is accepted"),
    /** Messages found no receive, though some had been posted before. */
    RECEIVE_QUEUE_EMPTY(
            "post more receives, post them again sooner, or let the sender count credits; on RC each miss costs an RNR timer"),
    /** The shared receive queue was empty when a message came. */
    SRQ_EMPTY("post more receives to the shared queue, and set its limit so that an event tells in time"),
    /** RNR timer code 0, which is the longest span and not the shortest. */
    RNR_TIMER_IS_655_MS(
            "code 0 is the longest span; set min_rnr_timer by RnrTimer.atLeast, code 1 is 10 us, 12 is 640 us"),
    /** RNR retry count 7, which means without end, while the peer has no receive. */
    RNR_RETRY_FOREVER("7 means without end; use 0 to 6 so that a peer without receives is noticed"),
    /** RNR retry count 0. */
    RNR_RETRY_COUNT_0("the first message that finds no receive ends the connection; raise rnr_retry, 7 is without end"),
    /** No acknowledgement timeout. */
    NO_ACK_TIMEOUT(
            "timeout 0 waits for ever, so that a lost packet or a dead peer is never noticed; 14 (67 ms) is usual"),
    /** Retry count 0. */
    RETRY_COUNT_0("a single lost packet ends the connection; 7 is usual"),
    /** The peer has never sent a packet. */
    PEER_NEVER_ANSWERED(
            "look at the peer's explain(): is it in RTR or RTS, does it expect this QP number and this GID, and which PSN?"),
    /** The peer answered, and then no more. */
    PEER_WENT_SILENT(
            "see whether the peer still runs and its queue pair is not in ERR, or whether the link loses packets"),
    /** No device on the network has the peer's address. */
    PEER_UNREACHABLE("check the destination GID: a wrong GID index of the peer, or a peer that is not there yet"),
    /** The other side of a reliable connection refused a request and knows why. */
    PEER_REFUSED("the peer's own explain() tells which rule was broken; its completions and events name the status"),
    /** The two sides have different path MTUs. */
    PATH_MTU_MISMATCH("give both sides the same path MTU, the smaller of their ports' active MTUs"),
    /** The first packet's PSN is far from the one expected. */
    PSN_MISMATCH("give this side as rq_psn what the peer has as sq_psn, and the other way round"),
    /** No region or window has the key. */
    KEY_UNKNOWN(
            "its region or window was closed, invalidated or unbound, or the number was sent in the wrong byte order"),
    /** The key belongs to another protection domain, or to a window of another queue pair. */
    KEY_OF_ANOTHER_DOMAIN("register the memory in the protection domain of the queue pair that is to use the key"),
    /** The region or window lacks the right. */
    KEY_LACKS_RIGHT("register the memory, or bind the window, with the access flag"),
    /** The range is not all within the region or window. */
    KEY_OUT_OF_RANGE("check address and length against what was registered; an address counts from the region's iova"),
    /** The memory of a region is gone: its arena was closed, or its mapped file was truncated. */
    MEMORY_CLOSED("keep the arena open, and a mapped file at its length, until the region is closed"),
    /** The queue pair does not grant the peer the requested access. */
    QP_LACKS_ACCESS("give the queue pair the access flag in INIT; the flags of the region are not enough"),
    /** This side cannot issue READs and atomics. */
    MAX_RD_ATOMIC_0("set max_rd_atomic to at least 1 when going to RTS, and the peer's max_dest_rd_atomic with it"),
    /** This side does not accept READs and atomics. */
    MAX_DEST_RD_ATOMIC_0("set max_dest_rd_atomic to at least the peer's max_rd_atomic when going to RTR"),
    /** An atomic operation or ATOMIC_WRITE on an address that is not a multiple of eight. */
    ATOMIC_MISALIGNED("give atomics eight bytes at an address that is a multiple of eight"),
    /** A message was longer than its receive. */
    RECEIVE_TOO_SMALL("post receives as long as the longest message"),
    /** A datagram's receive has no room for the routing header. */
    NO_ROOM_FOR_ROUTING_HEADER("post receives of 40 bytes more than the payload on UD"),
    /** A datagram was longer than the path MTU. */
    DATAGRAM_TOO_LONG("send at most the port's active MTU in one datagram"),
    /** A key of this side's own requests does not grant the rights that they need. */
    LOCAL_KEY_REFUSED(
            "look at the scatter-gather entry: region open, of this domain, long enough, LOCAL_WRITE for what arrives"),
    /** A window could not be bound, or a key not be registered or invalidated. */
    LOCAL_OPERATION_REFUSED("look at the rights (MW_BIND), the range, the key's state and its queue pair"),
    /** SEND with invalidate named a key that the peer may not invalidate. */
    INVALIDATE_REFUSED(
            "invalidate only keys of fast registrations and of type 2 windows, which are valid at that time"),
    /** Packets arrived in a state that does not accept them. */
    PACKETS_BEFORE_RTR("take the queue pair to RTR before the peer sends, and to RTS before it is answered"),
    /** Requests were posted in a state that does not accept them. */
    POST_IN_WRONG_STATE("post sends in RTS, receives from INIT on; look at the result of each post"),
    /** Datagrams came with another Q_Key. */
    WRONG_QKEY("give both sides the same Q_Key; with bit 31 set the sender's own one is used"),
    /** Packets came with another P_Key. */
    WRONG_PKEY("RoCE knows the default partition 0xFFFF only; look at the sender's P_Key index"),
    /** Packets for a connected queue pair came from, or to, an address that is not its path's. */
    WRONG_SOURCE("look at both sides' GID index and destination GID; the path must be the same in both directions"),
    /** The completion queue was full. */
    CQ_OVERRUN(
            "make it as large as all requests that may be outstanding on its queue pairs together, or poll more often"),
    /** The send queue was full. */
    SEND_QUEUE_FULL("poll completions before posting more, or ask for a deeper queue"),
    /** As many requests as the queue holds were posted without one that is signaled. */
    NEVER_SIGNALED(
            "signal one request in every half queue: hardware frees the slots when a signaled completion is polled"),
    /** Messages of an unreliable transport were dropped without a report. */
    UNRELIABLE_DROPS("UC and UD drop what they cannot receive without a report; count messages, or use RC"),
    /** The peer sent packets twice, since its ACK timeout expired before the answer arrived. */
    ANSWERS_TOO_LATE(
            "the peer sends again before it has the answer: raise its ACK timeout, or look for loss on the way back"),
    /** The peer's answer matches no request. */
    NONSENSE_ANSWER(
            "look for an earlier connection with the same numbers: begin with random PSNs, use QP numbers again late"),
    /** The program itself, or connection management, moved the queue pair to ERR. */
    TAKEN_TO_ERROR("flushed requests are the expected end then: a disconnect, or a close");

    private final String cure;

    Hint(String cure) {
        this.cure = cure;
    }

    /**
     * Returns the cure.
     *
     * @return a sentence without its end
     */
    public String cure() {
        return cure;
    }
}
