package dev.verbena.ibverbs;

import java.lang.foreign.MemorySegment;

/** The functions of the data path, with their C meaning: what the header's inline functions call. */
interface DataCalls {
    /** {@code post_send(qp, wr, bad_wr)}: 0 or an errno. */
    int postSend(MemorySegment qp, MemorySegment requests, MemorySegment bad);

    /** {@code post_recv(qp, wr, bad_wr)}: 0 or an errno. */
    int postReceive(MemorySegment qp, MemorySegment requests, MemorySegment bad);

    /** {@code post_srq_recv(srq, wr, bad_wr)}: 0 or an errno. */
    int postSharedReceive(MemorySegment srq, MemorySegment requests, MemorySegment bad);

    /** {@code poll_cq(cq, count, wc)}: how many, negative for an error of the queue. */
    int pollCq(MemorySegment cq, int count, MemorySegment completions);

    /** {@code req_notify_cq(cq, solicited_only)}: 0 or an errno. */
    int requestNotify(MemorySegment cq, int solicitedOnly);
}
