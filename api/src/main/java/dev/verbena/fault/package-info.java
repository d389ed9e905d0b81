// SPDX-License-Identifier: Apache-2.0
/**
 * The description of faults on a link. A {@link dev.verbena.fault.FaultPlan} has faults by probability, and a {@link
 * dev.verbena.fault.LinkRule} decides the {@link dev.verbena.fault.Verdict} on each {@link dev.verbena.fault.LinkPacket}. The
 * fabrics of the software device execute the verdicts. {@code dev.verbena.fault.provider} causes faults of calls and completions
 * instead, for any provider.
 *
 * @since 1.0
 */
package dev.verbena.fault;
