// SPDX-License-Identifier: Apache-2.0
/**
 * The description of faults on the links between simulated ports. A {@link FaultPlan} is a list of {@link LinkRule}
 * objects. A rule returns a {@link Verdict} on each {@link LinkPacket}, such as a drop with a given probability. For each
 * packet, the verdict determines whether a fabric of the software device drops, delays or changes the packet. The package
 * {@code dev.verbena.fault.provider} causes faults in calls and completions of any provider.
 *
 * @since 1.0
 */
package dev.verbena.fault;
