// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The state of automatic path migration ({@code enum ibv_mig_state}; IBTA volume 1, 17.2.8). InfiniBand only.
 *
 * @since 1.0
 */
public enum PathMigrationState {
    /** On the path in use; nothing is prepared. The state of a new queue pair. */
    MIGRATED(0),
    /** An alternate path was loaded; waits until the peer has armed too. */
    REARM(1),
    /** Both sides are ready to change to the alternate path. */
    ARMED(2);

    private static final CodeTable<PathMigrationState> BY_CODE =
            new CodeTable<>("path migration state", values(), PathMigrationState::code);

    private final int code;

    PathMigrationState(int code) {
        this.code = code;
    }

    /**
     * The number of {@code enum ibv_mig_state}.
     *
     * @return 0..2
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
    public static PathMigrationState of(int code) {
        return BY_CODE.of(code);
    }
}
