// SPDX-License-Identifier: Apache-2.0
/**
 * Packet capture. The class {@link dev.verbena.sim.capture.TappedFabric} wraps a fabric and passes each sent packet to a
 * {@link dev.verbena.sim.capture.PacketTap}. Implementations:
 *
 * <ul>
 *   <li>{@link dev.verbena.sim.capture.PcapngTap} writes a file for Wireshark.
 *   <li>{@link dev.verbena.sim.capture.TraceHash} computes the SHA-256 hash of all packets of a simulation. Two simulations
 *   in virtual time with the same seed have the same hash.
 *   <li>{@link dev.verbena.sim.capture.CompositeTap} passes packets to several taps.
 * </ul>
 *
 * <p>If a {@code TappedFabric} wraps a {@code FaultyFabric}, the tap gets all packets. If a {@code FaultyFabric} wraps a
 * {@code TappedFabric}, the tap gets only the packets that no fault dropped. A tap never changes or delays a packet, and
 * does not refer to the packet after the call.
 */
package dev.verbena.sim.capture;
