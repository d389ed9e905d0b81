// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The completions that trigger the notification of an armed completion queue ({@code ibv_req_notify_cq}(3)).
 *
 * <p>Arming holds for one notification. Completions that are there already do not trigger it, so poll once more after
 * arming.
 *
 * @since 1.0
 */
public enum Notification {
    /** The next receive whose sender set {@link SendFlag#SOLICITED}, and every failed completion. */
    SOLICITED_ONLY(1),
    /**
     * The next completion of any kind. Arming for it includes {@link #SOLICITED_ONLY}; a later arming for that does not
     * narrow it.
     */
    NEXT_COMPLETION(0);

    private static final CodeTable<Notification> BY_CODE =
            new CodeTable<>("solicited_only", values(), Notification::code);

    private final int code;

    Notification(int code) {
        this.code = code;
    }

    /**
     * The {@code solicited_only} argument of {@code ibv_req_notify_cq}.
     *
     * @return 1 or 0
     */
    public int code() {
        return code;
    }

    /**
     * Decodes the number of the user ABI.
     *
     * @param code a number that {@link #code()} returns
     * @return its constant
     * @throws IllegalArgumentException if no constant has it
     */
    public static Notification of(int code) {
        return BY_CODE.of(code);
    }
}
