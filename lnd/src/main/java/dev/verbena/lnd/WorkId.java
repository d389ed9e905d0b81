// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

/**
 * Ids of work requests (wr_id). An id encodes the type of work request, and the index of a transmit descriptor or receive
 * buffer.
 */
final class WorkId {

    /** The work request is a SEND; its id contains the index of the transmit descriptor. */
    static final int TX = 1;

    /** The work request is a receive request; its id contains the index of the receive buffer. */
    static final int RX = 2;

    /** The work request is an RDMA WRITE before a SEND, and has a completion only if it fails. */
    static final int RDMA = 3;

    /** The work request is a LOCAL_INV, REG_MR or BIND_MW before a SEND, and has a completion only if it fails. */
    static final int MR = 4;

    private static final int KIND_BITS = 3;

    private WorkId() {}

    static long of(int kind, int index) {
        return (long) index << KIND_BITS | kind;
    }

    static int kind(long id) {
        return (int) id & (1 << KIND_BITS) - 1;
    }

    static int index(long id) {
        return (int) (id >>> KIND_BITS);
    }
}
