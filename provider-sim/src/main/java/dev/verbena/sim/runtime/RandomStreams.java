// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Derives independent random generators from one seed. A seed yields the same random numbers in every JVM. */
final class RandomStreams {
    private static final long FNV_OFFSET_BASIS = 0xcbf2_9ce4_8422_2325L;
    private static final long FNV_PRIME = 0x0000_0100_0000_01b3L;

    private RandomStreams() {}

    static RandomGenerator of(long seed, String purpose) {
        return new SplittableRandom(mix(seed ^ fnv1a(purpose)));
    }

    /** Computes the 64-bit FNV-1a hash of the UTF-8 bytes (Fowler, Noll, Vo). */
    private static long fnv1a(String text) {
        long hash = FNV_OFFSET_BASIS;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    /** Computes the finalizer of MurmurHash3 (Appleby), so that consecutive seeds yield unrelated random streams. */
    private static long mix(long value) {
        long mixed = value;
        mixed = (mixed ^ (mixed >>> 33)) * 0xff51_afd7_ed55_8ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ce_b9fe_1a85_ec53L;
        return mixed ^ (mixed >>> 33);
    }
}
