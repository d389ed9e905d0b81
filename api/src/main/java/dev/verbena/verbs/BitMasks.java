// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Converts between sets of enum constants and the bit masks of libibverbs. */
final class BitMasks {
    private BitMasks() {}

    static <E extends Enum<E>> int maskOf(Set<E> set, ToIntFunction<E> bitOf) {
        int mask = 0;
        for (E element : set) {
            mask |= bitOf.applyAsInt(element);
        }
        return mask;
    }

    /**
     * Returns the flags of a bit mask as an unmodifiable set. Throws an exception if the mask has a bit without an enum
     * constant.
     */
    static <E extends Enum<E>> Set<E> ofMask(String what, Class<E> type, ToIntFunction<E> bitOf, int mask) {
        EnumSet<E> set = EnumSet.noneOf(type);
        int rest = mask;
        for (E element : type.getEnumConstants()) {
            int bit = bitOf.applyAsInt(element);
            if ((mask & bit) != 0) {
                set.add(element);
                rest &= ~bit;
            }
        }
        if (rest != 0) {
            throw new IllegalArgumentException(String.format(
                    "%s mask 0x%x has unknown bits 0x%x; legal bits are 0x%x: clear the others",
                    what, mask, rest, maskOf(EnumSet.allOf(type), bitOf)));
        }
        return Collections.unmodifiableSet(set);
    }
}
