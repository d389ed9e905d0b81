// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * How a memory window is bound, and to which object it belongs ({@code enum ibv_mw_type}, {@code ibv_alloc_mw}(3); IBTA
 * volume 1, 10.6.7.2).
 *
 * @since 1.0
 */
public enum MemoryWindowType {
    /** Bound by a verb; usable through every queue pair of the protection domain; each bind changes the key. */
    TYPE_1(1),
    /**
     * Bound by a posted work request; the consumer chooses the low byte of the key. The window belongs to that queue
     * pair (2B) or to its domain and queue pair number (2A). Both sides can invalidate it.
     */
    TYPE_2(2);

    private static final CodeTable<MemoryWindowType> BY_CODE =
            new CodeTable<>("memory window type", values(), MemoryWindowType::code);

    private final int code;

    MemoryWindowType(int code) {
        this.code = code;
    }

    /**
     * The number of {@code enum ibv_mw_type}.
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
    public static MemoryWindowType of(int code) {
        return BY_CODE.of(code);
    }
}
