// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A certain or probable mistake in the use of a queue pair, with the facts that the provider observed.
 *
 * @param hint the certain or probable mistake
 * @param observation the observed facts, with numbers
 * @since 1.0
 */
public record Finding(Hint hint, String observation) {
    /** {@return the finding's observation and the hint's remedy} */
    @Override
    public String toString() {
        return observation + "; " + hint.cure();
    }
}
