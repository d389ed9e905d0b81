// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

/**
 * The body of PUT_NAK, PUT_DONE and GET_DONE.
 *
 * <pre>
 *    0  cookie 8     the cookie of the request, opaque
 *    8  status 4     the number of transferred bytes, or a negative errno; in the sender's byte order
 * </pre>
 *
 * <p>Not thread-safe. Source: {@code struct kib_completion_msg}.
 */
public final class Completion extends ByteOrderedView {

    /** The length of the body of PUT_NAK, PUT_DONE and GET_DONE in bytes. */
    public static final int LENGTH = 12;

    private static final int COOKIE = 0;
    private static final int STATUS = 8;

    Completion() {}

    /** {@return the cookie of the PUT_REQ, PUT_ACK or GET_REQ that this message completes; 8 opaque bytes} */
    public long cookie() {
        return opaque(COOKIE);
    }

    /** {@return the number of transferred bytes; after a failure, the negated errno value of Linux} */
    public int status() {
        return i32(STATUS);
    }

    /**
     * {@return this object; this method sets the cookie and the status}
     *
     * @param cookie the cookie of the PUT_REQ, PUT_ACK or GET_REQ that this message completes
     * @param status the number of transferred bytes, or a negative errno
     */
    public Completion set(long cookie, int status) {
        opaque(COOKIE, cookie);
        i32(STATUS, status);
        return this;
    }

    @Override
    public String toString() {
        return "cookie 0x" + Long.toHexString(cookie()) + " status " + status();
    }
}
