// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * How much a FLUSH covers ({@code enum ibv_selectivity_level}; IBTA volume 1, A19).
 *
 * @since 1.0
 */
public enum FlushTarget {
    /** The given range of remote memory. */
    RANGE(0),
    /** The whole region of the remote key; address and length are ignored. */
    MR(1);

    private static final CodeTable<FlushTarget> BY_CODE = new CodeTable<>("flush target", values(), FlushTarget::code);

    private final int code;

    FlushTarget(int code) {
        this.code = code;
    }

    /**
     * The number of {@code enum ibv_selectivity_level}.
     *
     * @return 0 or 1
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
    public static FlushTarget of(int code) {
        return BY_CODE.of(code);
    }
}
