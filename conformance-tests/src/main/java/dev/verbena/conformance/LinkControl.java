// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.fault.LinkRule;

/** Injects faults into the packets between the two tested devices of a {@link ProviderRig}. */
@FunctionalInterface
public interface LinkControl {
    /**
     * Applies a fault rule to each packet between the devices, in both directions, until the {@code ProviderRig} is closed.
     *
     * @param rule the fault rule, which can drop, delay, duplicate or corrupt packets
     */
    void add(LinkRule rule);
}
