// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.random.RandomGenerator;

/**
 * Computes R_Keys. For type 2 memory windows and fast registration, the application chooses the low byte of the R_Key.
 *
 * @since 1.0
 */
public final class RemoteKey {
    private RemoteKey() {}

    /**
     * Returns the next R_Key of the same memory window or region ({@code ibv_inc_rkey}).
     *
     * @param rkey an R_Key
     * @return an R_Key with the same upper 24 bits, and with the low byte increased by one modulo 256
     */
    public static int increment(int rkey) {
        return (rkey & 0xFFFFFF00) | ((rkey + 1) & 0xFF);
    }

    /**
     * Returns a new R_Key for the memory window or region of a given R_Key. A peer cannot derive the new R_Key from the
     * given R_Key.
     *
     * @param rkey the current R_Key
     * @param random the random generator for the low byte of the new R_Key
     * @return a new R_Key, which differs from {@code rkey} only in the low byte
     */
    public static int other(int rkey, RandomGenerator random) {
        return (rkey & 0xFFFFFF00) | ((rkey + 1 + random.nextInt(0xFF)) & 0xFF);
    }
}
