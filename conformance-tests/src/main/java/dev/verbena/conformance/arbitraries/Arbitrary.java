// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

/**
 * Draws values of a type. Fewer and smaller choices make a simpler value, so that a failing value is shrunk by its choices alone.
 *
 * @param <T> the type
 */
@FunctionalInterface
public interface Arbitrary<T> {
    /**
     * Draws a value.
     *
     * @param choices the choices that determine the value
     * @return a value whose text a person can read
     */
    T draw(Choices choices);
}
