// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The maximum number of retransmissions of a requester after receiver-not-ready NAKs, before the work request fails with
 * {@link WorkCompletionStatus#RNR_RETRY_EXC_ERR} ({@code rnr_retry} of {@code ibv_modify_qp}(3), IBTA volume 1, 9.7.5.2.8).
 *
 * @param code 0..7; 7 means unlimited
 * @since 1.0
 */
public record RnrRetryCount(int code) {
    private static final int FOREVER_CODE = 7;

    /** Unlimited retransmissions: a receiver that never posts stalls the sender, and no completion reports the stall. */
    public static final RnrRetryCount FOREVER = new RnrRetryCount(FOREVER_CODE);

    /**
     * Checks the range of the RNR retry count.
     *
     * @throws IllegalArgumentException if the RNR retry count is outside 0..7
     */
    public RnrRetryCount {
        ValueChecks.inRange("rnr retry code", code, 0, FOREVER_CODE, "the field has three bits");
    }

    /**
     * Creates a finite count.
     *
     * @param retries the number of retransmissions, 0..6
     * @return the count
     * @throws IllegalArgumentException if the number of retransmissions is outside 0..6; {@link #FOREVER} means no limit
     */
    public static RnrRetryCount of(int retries) {
        return new RnrRetryCount(ValueChecks.inRange(
                "rnr retry count", retries, 0, FOREVER_CODE - 1, "for unlimited retries use RnrRetryCount.FOREVER"));
    }

    /**
     * Decodes the RNR retry count of {@code ibv_modify_qp} and of the connection manager's messages.
     *
     * @param code 0..7
     * @return a finite retry count, or {@link #FOREVER} for the encoded value 7
     * @throws IllegalArgumentException if the RNR retry count is outside 0..7
     */
    public static RnrRetryCount ofCode(int code) {
        return code == FOREVER_CODE ? FOREVER : new RnrRetryCount(code);
    }

    /** {@return whether the number of retransmissions is unlimited} */
    public boolean isForever() {
        return code == FOREVER_CODE;
    }

    /** {@return the number of retransmissions as text, or the word {@code forever}} */
    @Override
    public String toString() {
        return isForever() ? "forever" : Integer.toString(code);
    }
}
