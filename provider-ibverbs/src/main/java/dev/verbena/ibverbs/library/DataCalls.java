// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

/**
 * The functions of a user-space driver that the inline functions of infiniband/verbs.h call on the data path. Pointers are
 * passed as addresses, so the caller must keep the memory segment of each pointer reachable during the call. This type is
 * not an interface, because at each call through an interface the JVM checks the type of the object. If all devices have
 * the same user-space driver, this abstract class has only one subclass, so the JVM calls the methods without a type check.
 */
public abstract class DataCalls {
    /** {@code post_send(qp, wr, bad_wr)} returns 0 or an errno. */
    public abstract int postSend(long qp, long requests, long bad);

    /** {@code post_recv(qp, wr, bad_wr)} returns 0 or an errno. */
    public abstract int postReceive(long qp, long requests, long bad);

    /** {@code post_srq_recv(srq, wr, bad_wr)} returns 0 or an errno. */
    public abstract int postSharedReceive(long srq, long requests, long bad);

    /** {@code poll_cq(cq, count, wc)} returns the number of completions, or a negative number for an error. */
    public abstract int pollCq(long cq, int count, long completions);

    /** {@code req_notify_cq(cq, solicited_only)} returns 0 or an errno. */
    public abstract int requestNotify(long cq, int solicitedOnly);
}
