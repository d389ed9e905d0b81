// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

/** The id of a work request (wr_id), which encodes the kind of the request and the index of a descriptor. */
final class WorkId {

    /** The request is a SEND; its work request id contains the index of the transmit descriptor. */
    static final int TX = 1;

    /** The request is a receive; its work request id contains the index of the receive buffer. */
    static final int RX = 2;

    /** The request is an RDMA WRITE before a SEND, and has a completion only if it fails. */
    static final int RDMA = 3;

    /** The request is a registration before a SEND, and has a completion only if it fails. */
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
