// SPDX-License-Identifier: Apache-2.0
/**
 * The transmission of packets between ports.
 *
 * <p>{@link dev.verbena.sim.fabric.InProcessFabric} transmits packets inside the process, with the latency, rate and MTU of
 * {@link dev.verbena.sim.fabric.LinkProperties}. A wrapper of a fabric implements {@link dev.verbena.sim.fabric.Fabric} and
 * calls the wrapped fabric.
 *
 * <p>Only {@code HeaderFields} reads headers after the BTH. This package does not depend on queue pairs.
 */
package dev.verbena.sim.fabric;
