// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Arrays;
import java.util.StringJoiner;
import java.util.function.ToIntFunction;

/**
 * Finds a Java enum constant by its value in C. {@link WorkCompletionStatus} uses a {@code CodeTable} to decode the status
 * of completions. A search only reads two arrays and allocates nothing.
 */
final class CodeTable<E extends Enum<E>> {
    private final String what;
    private final E[] constants;
    private final ToIntFunction<E> codeOf;
    private final int lowest;
    private final int[] places;

    CodeTable(String what, E[] constants, ToIntFunction<E> codeOf) {
        this.what = what;
        this.constants = constants;
        this.codeOf = codeOf;
        this.lowest = Arrays.stream(constants).mapToInt(codeOf).min().orElseThrow();
        int highest = Arrays.stream(constants).mapToInt(codeOf).max().orElseThrow();
        this.places = new int[highest - lowest + 1];
        Arrays.fill(places, -1);
        for (int place = 0; place < constants.length; place++) {
            places[codeOf.applyAsInt(constants[place]) - lowest] = place;
        }
    }

    E of(int code) {
        int place = place(code);
        if (place < 0) {
            throw new IllegalArgumentException(what + " " + code + " is not known; use one of " + legal());
        }
        return constants[place];
    }

    E find(int code, E otherwise) {
        int place = place(code);
        return place < 0 ? otherwise : constants[place];
    }

    private int place(int code) {
        long slot = (long) code - lowest;
        return slot < 0 || slot >= places.length ? -1 : places[(int) slot];
    }

    private String legal() {
        StringJoiner all = new StringJoiner(", ");
        for (E constant : constants) {
            all.add(codeOf.applyAsInt(constant) + " (" + constant.name() + ")");
        }
        return all.toString();
    }
}
