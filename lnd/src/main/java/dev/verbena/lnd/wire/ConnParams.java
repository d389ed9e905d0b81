// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

/**
 * The parameters of a connection: the body of CONNREQ and CONNACK, and the last 8 bytes of {@link RejectData}.
 *
 * <pre>
 *    0  queue_depth 2     messages in flight each way
 *    2  max_frags 2       fragments of one RDMA descriptor
 *    4  max_msg_size 4    4096
 * </pre>
 *
 * <p>Not thread-safe. Source: {@code struct kib_connparams}.
 */
public final class ConnParams extends ByteOrderedView {

    /** The length of the connection parameters in bytes. */
    public static final int LENGTH = 8;

    private static final int QUEUE_DEPTH = 0;
    private static final int MAX_FRAGS = 2;
    private static final int MAX_MSG_SIZE = 4;

    ConnParams() {}

    /** {@return the maximum number of messages in flight in each direction, 0 to 65535} */
    public int queueDepth() {
        return u16(QUEUE_DEPTH);
    }

    /** {@return the maximum number of fragments of an RDMA descriptor, 0 to 65535} */
    public int maxFragments() {
        return u16(MAX_FRAGS);
    }

    /** {@return the maximum length of a message in bytes, an unsigned 32-bit number} */
    public long maxMessageSize() {
        return Integer.toUnsignedLong(i32(MAX_MSG_SIZE));
    }

    /**
     * {@return this object; this method sets all connection parameters}
     *
     * @param queueDepth the maximum number of messages in flight in each direction
     * @param maxFragments the maximum number of fragments of an RDMA descriptor
     * @param maxMessageSize the maximum length of a message in bytes
     */
    public ConnParams set(int queueDepth, int maxFragments, long maxMessageSize) {
        u16(QUEUE_DEPTH, queueDepth);
        u16(MAX_FRAGS, maxFragments);
        i32(MAX_MSG_SIZE, (int) maxMessageSize);
        return this;
    }

    @Override
    public String toString() {
        return "queue_depth " + queueDepth() + " max_frags " + maxFragments() + " max_msg " + maxMessageSize();
    }
}
