package dev.verbena.lnd;

/** The id of a work request: which kind of request, and which descriptor. */
final class WorkId {

    /** The SEND of a transmit descriptor. */
    static final int TX = 1;

    /** A receive buffer. */
    static final int RX = 2;

    /** An RDMA write in front of a SEND; completes only when it fails. */
    static final int RDMA = 3;

    private WorkId() {}

    static long of(int kind, int index) {
        return (long) index << 2 | kind;
    }

    static int kind(long id) {
        return (int) id & 3;
    }

    static int index(long id) {
        return (int) (id >>> 2);
    }
}
