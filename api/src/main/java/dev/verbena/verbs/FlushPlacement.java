// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * How far earlier writes must have got when a FLUSH completes ({@code enum ibv_placement_type}; IBTA volume 1, A19).
 *
 * @since 1.0
 */
public enum FlushPlacement {
    /** Visible to every CPU and device of the responder's host. The region needs {@link AccessFlag#FLUSH_GLOBAL}. */
    GLOBAL(1),
    /** Survives a power failure. The region needs {@link AccessFlag#FLUSH_PERSISTENT}. */
    PERSISTENT(2);

    private static final CodeTable<FlushPlacement> BY_CODE =
            new CodeTable<>("flush placement", values(), FlushPlacement::code);

    private final int code;

    FlushPlacement(int code) {
        this.code = code;
    }

    /**
     * The number of {@code enum ibv_placement_type}.
     *
     * @return 1 or 2
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
    public static FlushPlacement of(int code) {
        return BY_CODE.of(code);
    }
}
