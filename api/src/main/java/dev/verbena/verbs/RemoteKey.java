// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.random.RandomGenerator;

/**
 * Computes rkeys. For memory windows of type 2 and fast registration, the program chooses the low byte of the rkey.
 *
 * @since 1.0
 */
public final class RemoteKey {
    private RemoteKey() {}

    /**
     * Returns the next key of the same window or region ({@code ibv_inc_rkey}).
     *
     * @param rkey a key
     * @return a key with the same upper 24 bits, and with the low byte increased by one modulo 256
     */
    public static int increment(int rkey) {
        return (rkey & 0xFFFFFF00) | ((rkey + 1) & 0xFF);
    }

    /**
     * Returns a new key for the memory window or region of a given key. A peer cannot derive the new key from the given
     * key.
     *
     * @param rkey the present key
     * @param random the random generator for the low byte of the new key
     * @return a new key, which differs from {@code rkey} only in the low byte
     */
    public static int other(int rkey, RandomGenerator random) {
        return (rkey & 0xFFFFFF00) | ((rkey + 1 + random.nextInt(0xFF)) & 0xFF);
    }
}
