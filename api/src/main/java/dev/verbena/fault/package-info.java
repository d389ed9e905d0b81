// SPDX-License-Identifier: Apache-2.0
/**
 * The description of faults on the links between simulated ports. A {@link FaultPlan} is a list of {@link LinkRule}
 * objects. A fault rule returns an action ({@link Verdict}) for each {@link LinkPacket}, such as a drop with a given
 * probability. The action determines whether a fabric of the software device drops, delays or changes the packet. The
 * package {@code dev.verbena.fault.provider} causes faults in calls and completions of any provider.
 *
 * @since 1.0
 */
package dev.verbena.fault;
