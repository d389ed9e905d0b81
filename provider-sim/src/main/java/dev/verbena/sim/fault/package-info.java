// SPDX-License-Identifier: Apache-2.0
/**
 * Faults on links. {@link dev.verbena.sim.fault.FaultyFabric} wraps a fabric. The fabric drops, duplicates, delays or
 * changes packets, as the fault rules of {@link dev.verbena.fault} decide, and counts each {@link
 * dev.verbena.sim.fault.FaultKind}. This package does not interpret packets.
 */
package dev.verbena.sim.fault;
