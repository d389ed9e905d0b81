// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.fault.LinkRule;

/** Injects faults on the link between the two devices of a rig. */
@FunctionalInterface
public interface LinkControl {
    /**
     * Applies a link rule to each packet in both directions until the {@code ProviderRig} of the devices is closed.
     *
     * @param rule the link rule
     */
    void add(LinkRule rule);
}
