// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault;

import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * The probability of a fault.
 *
 * @param value 0.0 (never) to 1.0 (always)
 * @since 1.0
 */
public record Probability(double value) {
    /** The probability 0. */
    public static final Probability NEVER = new Probability(0);

    /** The probability 1. */
    public static final Probability ALWAYS = new Probability(1);

    /**
     * Matches hexadecimal numbers, and numbers with the suffix d or f. Unlike {@code parseDouble}, {@link #parse} refuses
     * hexadecimal numbers and the suffixes d and f.
     */
    private static final Pattern NOT_DECIMAL = Pattern.compile("[xX]|[dDfF]$");

    /** Checks that the probability is between 0 and 1. */
    public Probability {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("a probability is 0 to 1 (0% to 100%), not " + value);
        }
    }

    /**
     * Parses a probability such as {@code 5%} or {@code 0.05}.
     *
     * @param text a number between 0 and 1, or a percentage between 0% and 100%
     * @return the probability
     * @throws IllegalArgumentException if the text is neither a number between 0 and 1 nor a percentage between 0% and
     *     100%; the error message states the accepted values
     */
    public static Probability parse(String text) {
        String trimmed = text.trim();
        boolean percent = trimmed.endsWith("%");
        String digits = percent ? trimmed.substring(0, trimmed.length() - 1).trim() : trimmed;
        double number;
        try {
            if (NOT_DECIMAL.matcher(digits).find()) {
                throw new NumberFormatException(digits);
            }
            number = Double.parseDouble(digits);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a probability; write 5% or 0.05, between 0% and 100%", notANumber);
        }
        double value = percent ? number / 100 : number;
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("'" + text + "' is not a probability; it must be between 0% and 100%");
        }
        return new Probability(value);
    }

    /**
     * Draws a random number and decides whether the fault with this probability happens. With probability 0 or 1, the
     * method draws no random number, so the generator's later random numbers do not change.
     *
     * @param random the random generator
     * @return true with this probability
     */
    public boolean happens(RandomGenerator random) {
        return value > 0 && (value >= 1 || random.nextDouble() < value);
    }

    @Override
    public String toString() {
        return value * 100 + "%";
    }
}
