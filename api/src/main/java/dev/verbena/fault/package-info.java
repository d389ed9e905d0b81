// SPDX-License-Identifier: Apache-2.0
/**
 * The description of faults on a link. A {@link dev.verbena.fault.FaultPlan} has faults by probability, and a {@link
 * dev.verbena.fault.LinkRule} decides about each {@link dev.verbena.fault.LinkPacket} by a {@link dev.verbena.fault.Verdict}. The
 * fabrics of the software device carry out the verdicts. {@code dev.verbena.fault.provider} has faults of calls and completions
 * instead, for any provider.
 *
 * @since 1.0
 */
package dev.verbena.fault;
