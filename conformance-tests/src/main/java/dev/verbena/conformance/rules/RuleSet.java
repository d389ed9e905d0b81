// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.side.Pair;

/** The method that every set of rules needs from the suite. */
public interface RuleSet {
    /**
     * Opens both endpoints of a rig for one try of a rule. The rule must close the endpoints.
     *
     * @return both endpoints
     * @throws IllegalStateException if an endpoint cannot be opened; then the rule fails
     */
    Pair pair();
}
