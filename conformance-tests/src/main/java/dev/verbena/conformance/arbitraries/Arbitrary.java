// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

/**
 * Draws values of a type. Fewer and smaller choices must result in a simpler value, so that the kit can shrink a
 * failing value by its choices alone.
 *
 * @param <T> the type of the values
 */
@FunctionalInterface
public interface Arbitrary<T> {
    /**
     * {@return a value with a readable {@code toString()}}
     *
     * @param choices the choices from which the value is computed
     */
    T draw(Choices choices);
}
