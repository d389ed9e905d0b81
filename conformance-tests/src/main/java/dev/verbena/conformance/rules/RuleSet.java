// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.side.Pair;

/** A set of rules. The class that extends {@code VerbsConformance} implements the method that opens both tested devices. */
public interface RuleSet {
    /**
     * Opens both tested devices of a new {@code ProviderRig} for one execution of a rule. The rule must close the returned
     * {@link Pair}.
     *
     * @return both tested devices
     * @throws IllegalStateException if a device cannot be opened; the rule then fails
     */
    Pair pair();
}
