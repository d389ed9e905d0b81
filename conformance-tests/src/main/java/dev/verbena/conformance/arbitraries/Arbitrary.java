// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

/**
 * Creates random values of a type from random numbers ({@link Choices}). Fewer and smaller random numbers must yield a
 * simpler value, for example a shorter list, so that the kit can shrink the values with which a rule fails.
 *
 * @param <T> the type of the values
 */
@FunctionalInterface
public interface Arbitrary<T> {
    /**
     * {@return a value with a readable {@code toString()}}
     *
     * @param choices the random numbers from which {@code draw} computes its result
     */
    T draw(Choices choices);
}
