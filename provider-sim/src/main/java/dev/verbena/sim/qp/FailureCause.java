package dev.verbena.sim.qp;

/** What made a request fail, or a queue pair end: finer than a status. What the numbers with it mean is said at each. */
enum FailureCause {
    /** Nothing has failed. */
    NONE,
    /** The program, or connection management, went to ERR. */
    TAKEN_TO_ERROR,
    /** A completion queue lost a completion. */
    CQ_OVERRUN,
    /** An engine of the queue pair threw an exception. */
    ENGINE_FAILED,

    // At the sender.

    /** The peer refused: the syndrome of its NAK. */
    NAK,
    /** Repeating without an answer has come to its end. */
    RETRIES_USED_UP,
    /** Repeating towards a peer without receives has come to its end. */
    RNR_RETRIES_USED_UP,
    /** A response that fits no request: its opcode. */
    BAD_RESPONSE,
    /** The answer to a READ has another size: the size, and the one expected. */
    READ_LENGTH,
    /** A key of the request does not grant what it needs. */
    LOCAL_KEY,
    /** READ or atomic with max_rd_atomic 0. */
    NO_READ_DEPTH,
    /** BIND_MW, REG_MR or LOCAL_INV was refused. */
    LOCAL_OPERATION,
    /** The transport has no such operation. */
    NO_SUCH_OPERATION,
    /** A datagram longer than the path MTU: its length, and the MTU. */
    DATAGRAM_LENGTH,
    /** A datagram without an address. */
    NO_ADDRESS,

    // At the receiver.

    /** A packet that begins or continues no message: its opcode. */
    MESSAGE_ORDER,
    /** The queue pair does not allow the peer that: the mask of what is needed. */
    QP_ACCESS,
    /** A packet whose length is wrong for its place: the length, and the path MTU. */
    PACKET_LENGTH,
    /** A message longer than it said, shorter, or longer than any may be: the length that was said. */
    MESSAGE_LENGTH,
    /** READ or atomic with max_dest_rd_atomic 0. */
    NO_RESPONDER_DEPTH,
    /** An atomic that is not eight bytes at a multiple of eight: the address. */
    MISALIGNED,
    /** The peer's key was refused. */
    REMOTE_KEY,
    /** A message longer than its receive: the length so far, and that of the receive. */
    RECEIVE_LENGTH,
    /** A key of the receive does not grant what it needs. */
    RECEIVE_KEY,
    /** The key that a SEND was to invalidate: the key. */
    INVALIDATE
}
