// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A certain or probable mistake in the use of a queue pair, with the events and values that the provider observed.
 *
 * @param hint the certain or probable mistake
 * @param observation a text about the observed events and values, such as a PSN or the count of RNR NAKs
 * @since 1.0
 */
public record Finding(Hint hint, String observation) {
    /** {@return the finding's observation and the hint's remedy} */
    @Override
    public String toString() {
        return observation + "; " + hint.cure();
    }
}
