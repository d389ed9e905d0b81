// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The type of completions, any or only solicited ones, that cause a completion event of an armed completion queue ({@code
 * ibv_req_notify_cq}(3)).
 *
 * <p>One arming causes one completion event. Completions that are already in the queue cause no event, so an application
 * must poll once more after arming.
 *
 * @since 1.0
 */
public enum Notification {
    /** The next receive completion for a message with {@link SendFlag#SOLICITED}, or the next failed completion. */
    SOLICITED_ONLY(1),
    /** The next completion of any type. A later arming for SOLICITED_ONLY does not cancel an arming for NEXT_COMPLETION. */
    NEXT_COMPLETION(0);

    private static final CodeTable<Notification> BY_CODE =
            new CodeTable<>("solicited_only", values(), Notification::code);

    private final int code;

    Notification(int code) {
        this.code = code;
    }

    /** {@return the {@code solicited_only} argument of {@code ibv_req_notify_cq}, 1 or 0} */
    public int code() {
        return code;
    }

    /**
     * Decodes the {@code solicited_only} argument of {@code ibv_req_notify_cq}.
     *
     * @param code a value that {@link #code()} returns
     * @return the notification type
     * @throws IllegalArgumentException if {@code code} is neither 0 nor 1
     */
    public static Notification of(int code) {
        return BY_CODE.of(code);
    }
}
