// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.side.Pair;

/** A set of rules. The class that extends {@code VerbsConformance} implements the method that opens both endpoints. */
public interface RuleSet {
    /**
     * Opens both endpoints of a new {@code ProviderRig}, with which a rule is tried once. The rule must close both
     * endpoints.
     *
     * @return both endpoints
     * @throws IllegalStateException if an endpoint cannot be opened; the rule then fails
     */
    Pair pair();
}
