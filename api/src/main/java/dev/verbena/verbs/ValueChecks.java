// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Checks arguments of records and builders. An exception states the argument's name, value, valid range and remedy. */
final class ValueChecks {
    private ValueChecks() {}

    static int inRange(String name, int value, int lowest, int highest, String cure) {
        inRange(name, (long) value, lowest, highest, cure);
        return value;
    }

    static long inRange(String name, long value, long lowest, long highest, String cure) {
        if (value < lowest || value > highest) {
            throw new IllegalArgumentException(
                    name + " is " + value + ", legal is " + lowest + ".." + highest + "; " + cure);
        }
        return value;
    }

    static void notNegative(String name, int value) {
        inRange(name, value, 0, Integer.MAX_VALUE, "use 0 for none");
    }

    static void notNegative(String name, long value) {
        inRange(name, value, 0, Long.MAX_VALUE, "use 0 for none");
    }

    static <T> T required(String builder, String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalStateException(
                    builder + " has no " + name + "; call " + name + "(...) on the builder before build()");
        }
        return value;
    }

    /** Formats a time exactly, in the largest of the units ns, us, ms and s in which the number is at least one. */
    static String readable(long nanos) {
        int digits = nanos >= 1_000_000_000L ? 9 : nanos >= 1_000_000L ? 6 : nanos >= 1_000L ? 3 : 0;
        String unit = digits == 9 ? "s" : digits == 6 ? "ms" : digits == 3 ? "us" : "ns";
        return BigDecimal.valueOf(nanos, digits).stripTrailingZeros().toPlainString() + " " + unit;
    }
}
