package dev.verbena.sim.cm;

/**
 * Where a connection stands: the states of InfiniBand Architecture Specification volume 1, section 12.9, that connecting,
 * accepting, rejecting and disconnecting reliable connections go through.
 */
enum CmState {
    /** Not yet, or no longer, a connection; the peer's messages do not find it. */
    IDLE,
    /** The REQ was sent and is repeated. */
    REQ_SENT,
    /** A REQ came and waits for the user's answer. */
    REQ_RCVD,
    /** The REP was sent and is repeated. */
    REP_SENT,
    /** The REP came; the queue pair has to be made ready before the RTU. */
    REP_RCVD,
    /** Both sides may send. */
    ESTABLISHED,
    /** The DREQ was sent and is repeated. */
    DREQ_SENT,
    /** The peer's DREQ came and waits for the user's answer. */
    DREQ_RCVD,
    /** Over; the numbers stay reserved until no packet of the connection can be under way any more. */
    TIMEWAIT
}
