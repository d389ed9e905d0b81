// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.side.Pair;

/** The method that every set of rules needs from the class that runs it. */
public interface RuleSet {
    /**
     * Opens a rig and both of its sides. Called for every try of every rule, which closes them.
     *
     * @return both sides of a rig for one try
     * @throws IllegalStateException if a side cannot be opened; the rule fails then
     */
    Pair pair();
}
