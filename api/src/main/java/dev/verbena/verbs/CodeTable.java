package dev.verbena.verbs;

import java.util.Arrays;
import java.util.StringJoiner;
import java.util.function.ToIntFunction;

/**
 * Finds an enum constant by its number in the user ABI. Look-up reads two arrays and allocates nothing, because
 * completions are decoded through it.
 */
final class CodeTable<E extends Enum<E>> {
    private final String what;
    private final E[] constants;
    private final ToIntFunction<E> codeOf;
    private final int lowest;
    private final int[] ordinals;

    CodeTable(String what, E[] constants, ToIntFunction<E> codeOf) {
        this.what = what;
        this.constants = constants;
        this.codeOf = codeOf;
        this.lowest = Arrays.stream(constants).mapToInt(codeOf).min().orElseThrow();
        int highest = Arrays.stream(constants).mapToInt(codeOf).max().orElseThrow();
        this.ordinals = new int[highest - lowest + 1];
        Arrays.fill(ordinals, -1);
        for (E constant : constants) {
            ordinals[codeOf.applyAsInt(constant) - lowest] = constant.ordinal();
        }
    }

    E of(int code) {
        int ordinal = ordinal(code);
        if (ordinal < 0) {
            throw new IllegalArgumentException(what + " " + code + " is not known; use one of " + legal());
        }
        return constants[ordinal];
    }

    E find(int code, E otherwise) {
        int ordinal = ordinal(code);
        return ordinal < 0 ? otherwise : constants[ordinal];
    }

    private int ordinal(int code) {
        long slot = (long) code - lowest;
        return slot < 0 || slot >= ordinals.length ? -1 : ordinals[(int) slot];
    }

    private String legal() {
        StringJoiner all = new StringJoiner(", ");
        for (E constant : constants) {
            all.add(codeOf.applyAsInt(constant) + " (" + constant.name() + ")");
        }
        return all.toString();
    }
}
