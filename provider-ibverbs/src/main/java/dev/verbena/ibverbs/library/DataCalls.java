// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

/**
 * The functions of the data path, which the header's inline functions call. Pointers are addresses; the caller keeps
 * the memory at a pointer reachable during the call. If all devices have one driver, only one subclass of this abstract
 * class is loaded, and calls need no type check, unlike those of an interface.
 */
public abstract class DataCalls {
    /** {@code post_send(qp, wr, bad_wr)}: 0 or an errno. */
    public abstract int postSend(long qp, long requests, long bad);

    /** {@code post_recv(qp, wr, bad_wr)}: 0 or an errno. */
    public abstract int postReceive(long qp, long requests, long bad);

    /** {@code post_srq_recv(srq, wr, bad_wr)}: 0 or an errno. */
    public abstract int postSharedReceive(long srq, long requests, long bad);

    /** {@code poll_cq(cq, count, wc)}: the number of completions, or a negative number for an error of the queue. */
    public abstract int pollCq(long cq, int count, long completions);

    /** {@code req_notify_cq(cq, solicited_only)}: 0 or an errno. */
    public abstract int requestNotify(long cq, int solicitedOnly);
}
