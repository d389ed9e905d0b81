// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The state that earlier writes must reach before a FLUSH completes ({@code enum ibv_placement_type}, IBTA volume 1, A19).
 *
 * @since 1.0
 */
public enum FlushPlacement {
    /**
     * The writes are visible to every CPU and device of the responder's host. The region needs {@link AccessFlag#FLUSH_GLOBAL}.
     */
    GLOBAL(1),
    /** The writes survive a power failure. The region needs {@link AccessFlag#FLUSH_PERSISTENT}. */
    PERSISTENT(2);

    private static final CodeTable<FlushPlacement> BY_CODE =
            new CodeTable<>("flush placement", values(), FlushPlacement::code);

    private final int code;

    FlushPlacement(int code) {
        this.code = code;
    }

    /** {@return the value of the placement in {@code enum ibv_placement_type}, 1 or 2} */
    public int code() {
        return code;
    }

    /**
     * Converts a value of C's {@code enum ibv_placement_type} to a placement.
     *
     * @param code a value that {@link #code()} returns
     * @return the placement
     * @throws IllegalArgumentException if {@code code} is neither 1 nor 2
     */
    public static FlushPlacement of(int code) {
        return BY_CODE.of(code);
    }
}
