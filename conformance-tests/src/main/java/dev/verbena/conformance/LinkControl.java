// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.fault.LinkRule;

/** The link between the two sides of a rig, where a rig can command it. */
@FunctionalInterface
public interface LinkControl {
    /**
     * Applies a rule to every packet, in both directions, from now on until the rig is closed.
     *
     * @param rule the rule
     */
    void add(LinkRule rule);
}
