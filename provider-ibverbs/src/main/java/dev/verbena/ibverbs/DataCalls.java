package dev.verbena.ibverbs;

/**
 * The functions of the data path, with their C meaning: what the header's inline functions call. Pointers are addresses; whoever
 * calls keeps what they point to reachable for so long. As a class, of which there is one kind where all devices have one driver,
 * this is then called without a look at which kind it is.
 */
abstract class DataCalls {
    /** {@code post_send(qp, wr, bad_wr)}: 0 or an errno. */
    abstract int postSend(long qp, long requests, long bad);

    /** {@code post_recv(qp, wr, bad_wr)}: 0 or an errno. */
    abstract int postReceive(long qp, long requests, long bad);

    /** {@code post_srq_recv(srq, wr, bad_wr)}: 0 or an errno. */
    abstract int postSharedReceive(long srq, long requests, long bad);

    /** {@code poll_cq(cq, count, wc)}: how many, negative for an error of the queue. */
    abstract int pollCq(long cq, int count, long completions);

    /** {@code req_notify_cq(cq, solicited_only)}: 0 or an errno. */
    abstract int requestNotify(long cq, int solicitedOnly);
}
