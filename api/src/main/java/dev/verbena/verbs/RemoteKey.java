// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.random.RandomGenerator;

/**
 * Arithmetic on remote keys. For windows of type 2 and fast registration the consumer chooses the low byte.
 *
 * @since 1.0
 */
public final class RemoteKey {
    private RemoteKey() {}

    /**
     * Returns the next key of the same object ({@code ibv_inc_rkey}).
     *
     * @param rkey a key
     * @return the key with its low byte increased by one, modulo 256, and its upper 24 bits unchanged
     */
    public static int increment(int rkey) {
        return (rkey & 0xFFFFFF00) | ((rkey + 1) & 0xFF);
    }

    /**
     * Returns another key of the same object, which a peer that knows this one cannot derive.
     *
     * @param rkey a key
     * @param random the source of the low byte
     * @return the key with another low byte and its upper 24 bits unchanged
     */
    public static int other(int rkey, RandomGenerator random) {
        return (rkey & 0xFFFFFF00) | ((rkey + 1 + random.nextInt(0xFF)) & 0xFF);
    }
}
