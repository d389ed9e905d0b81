// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The memory that a FLUSH covers ({@code enum ibv_selectivity_level}, IBTA volume 1, A19).
 *
 * @since 1.0
 */
public enum FlushTarget {
    /** The range of remote memory that the FLUSH work request specifies. */
    RANGE(0),
    /** The whole region of the R_Key; the responder ignores the address and length of the FLUSH request packet. */
    MR(1);

    private static final CodeTable<FlushTarget> BY_CODE = new CodeTable<>("flush target", values(), FlushTarget::code);

    private final int code;

    FlushTarget(int code) {
        this.code = code;
    }

    /** {@return the value of the target in {@code enum ibv_selectivity_level}, 0 or 1} */
    public int code() {
        return code;
    }

    /**
     * Decodes a numeric value of {@code enum ibv_selectivity_level}.
     *
     * @param code a value that {@link #code()} returns
     * @return the target
     * @throws IllegalArgumentException if {@code code} is neither 0 nor 1
     */
    public static FlushTarget of(int code) {
        return BY_CODE.of(code);
    }
}
