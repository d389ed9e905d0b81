// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Keys of one object differ in the low byte only. */
class RemoteKeyTest {

    private static final int INDEX = ~0xFF;

    @Property
    void theNextKeyIsOfTheSameObjectAndComesBackAfter256Steps(@ForAll int rkey) {
        int next = rkey;
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < 256; i++) {
            next = RemoteKey.increment(next);
            assertThat(next & INDEX).isEqualTo(rkey & INDEX);
            keys.add(next);
        }
        assertThat(next).isEqualTo(rkey);
        assertThat(keys).hasSize(256);
    }

    @Property
    void anotherKeyIsOfTheSameObjectAndNeverTheSame(@ForAll int rkey, @ForAll long seed) {
        Random random = new Random(seed);
        int key = rkey;
        for (int i = 0; i < 600; i++) {
            int other = RemoteKey.other(key, random);
            assertThat(other & INDEX).isEqualTo(rkey & INDEX);
            assertThat(other).isNotEqualTo(key);
            key = other;
        }
    }
}
