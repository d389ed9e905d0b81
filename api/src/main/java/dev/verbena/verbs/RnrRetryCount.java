// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * How often a requester tries again after a receiver-not-ready NAK before the work request fails with
 * {@link WorkCompletionStatus#RNR_RETRY_EXC_ERR} ({@code rnr_retry} of {@code ibv_modify_qp}(3); IBTA volume 1,
 * 9.7.5.2.8).
 *
 * @param code 0..7; 7 does not count but means forever
 * @since 1.0
 */
public record RnrRetryCount(int code) {
    private static final int FOREVER_CODE = 7;

    /** Retries without a limit: a receiver that never posts stalls the sender, and no completion reports it. */
    public static final RnrRetryCount FOREVER = new RnrRetryCount(FOREVER_CODE);

    /**
     * Accepts every legal code.
     *
     * @throws IllegalArgumentException if the code is outside 0..7
     */
    public RnrRetryCount {
        ValueChecks.inRange("rnr retry code", code, 0, FOREVER_CODE, "the field has three bits");
    }

    /**
     * A finite number of further tries.
     *
     * @param retries 0..6
     * @return the count
     * @throws IllegalArgumentException if outside that range; forever is {@link #FOREVER}
     */
    public static RnrRetryCount of(int retries) {
        return new RnrRetryCount(ValueChecks.inRange(
                "rnr retry count", retries, 0, FOREVER_CODE - 1, "to try for ever use RnrRetryCount.FOREVER"));
    }

    /**
     * Decodes the field of the user ABI and of the connection manager's messages.
     *
     * @param code 0..7
     * @return a finite count, or {@link #FOREVER} for 7
     * @throws IllegalArgumentException if the code is outside that range
     */
    public static RnrRetryCount ofCode(int code) {
        return code == FOREVER_CODE ? FOREVER : new RnrRetryCount(code);
    }

    /**
     * Returns whether the requester retries without a limit.
     *
     * @return whether the code is 7
     */
    public boolean isForever() {
        return code == FOREVER_CODE;
    }

    /** Prints the number of retries or {@code forever}. */
    @Override
    public String toString() {
        return isForever() ? "forever" : Integer.toString(code);
    }
}
