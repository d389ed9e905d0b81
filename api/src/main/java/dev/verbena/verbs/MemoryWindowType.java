// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The type of a memory window ({@code enum ibv_mw_type}, {@code ibv_alloc_mw}(3), IBTA volume 1, 10.6.7.2). The type
 * determines how a memory window is bound and which queue pairs can use the window.
 *
 * @since 1.0
 */
public enum MemoryWindowType {
    /**
     * The verb {@code ibv_bind_mw} binds a type 1 window. All queue pairs of the protection domain can use a type 1 window.
     * Each bind changes the R_Key of a type 1 window.
     */
    TYPE_1(1),
    /**
     * A posted work request binds a type 2 window; the application selects the low byte of the R_Key. A type 2B window is
     * associated with the queue pair that executed the bind. A type 2A window is associated with a QPN and a protection
     * domain. A local work request or a peer's SEND with invalidate can invalidate the R_Key of a type 2 window. Type 2B
     * permits the invalidation only through the queue pair with which the window is associated. Type 2A permits the
     * invalidation through any queue pair of the protection domain.
     */
    TYPE_2(2);

    private static final CodeTable<MemoryWindowType> BY_CODE =
            new CodeTable<>("memory window type", values(), MemoryWindowType::code);

    private final int code;

    MemoryWindowType(int code) {
        this.code = code;
    }

    /** {@return the value of the type in {@code enum ibv_mw_type}, 1 or 2} */
    public int code() {
        return code;
    }

    /**
     * Decodes a numeric value of {@code enum ibv_mw_type}.
     *
     * @param code a value that {@link #code()} returns
     * @return the type
     * @throws IllegalArgumentException if no memory window type has the value
     */
    public static MemoryWindowType of(int code) {
        return BY_CODE.of(code);
    }
}
