// SPDX-License-Identifier: Apache-2.0
/**
 * The description of faults on the links between simulated ports. A {@link FaultPlan} contains rules, such as faults by
 * probability, and a {@link LinkRule} decides the {@link Verdict} on each {@link LinkPacket}. The fabrics of the software device
 * drop, delay or change each packet according to the verdict on this packet. The package {@code dev.verbena.fault.provider}
 * causes faults in calls and completions of any provider.
 *
 * @since 1.0
 */
package dev.verbena.fault;
