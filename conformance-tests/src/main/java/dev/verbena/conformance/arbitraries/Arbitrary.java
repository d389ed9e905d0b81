// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

/**
 * Draws values of a type. Fewer and smaller choices must lead to a simpler value, so that the kit can shrink a failing
 * value by its choices alone.
 *
 * @param <T> the type of the values
 */
@FunctionalInterface
public interface Arbitrary<T> {
    /**
     * {@return a value, whose text a person can read}
     *
     * @param choices the choices that determine the value
     */
    T draw(Choices choices);
}
