// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The state of automatic path migration ({@code enum ibv_mig_state}, IBTA volume 1, 17.2.8). InfiniBand only.
 *
 * @since 1.0
 */
public enum PathMigrationState {
    /** The queue pair uses its primary path and has no alternate path; this is the state of a new queue pair. */
    MIGRATED(0),
    /** The queue pair has an alternate path, but the peer has not yet armed path migration. */
    REARM(1),
    /** The queue pair and its peer are ready to migrate to the alternate path. */
    ARMED(2);

    private static final CodeTable<PathMigrationState> BY_CODE =
            new CodeTable<>("path migration state", values(), PathMigrationState::code);

    private final int code;

    PathMigrationState(int code) {
        this.code = code;
    }

    /** {@return the value of the state in {@code enum ibv_mig_state}, 0..2} */
    public int code() {
        return code;
    }

    /**
     * Decodes a numeric value of {@code enum ibv_mig_state}.
     *
     * @param code a value that {@link #code()} returns
     * @return the state
     * @throws IllegalArgumentException if no migration state has the value
     */
    public static PathMigrationState of(int code) {
        return BY_CODE.of(code);
    }
}
