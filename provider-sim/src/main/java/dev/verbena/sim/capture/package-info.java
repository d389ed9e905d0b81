// SPDX-License-Identifier: Apache-2.0
/**
 * The observation of packets. The class {@link dev.verbena.sim.capture.TappedFabric} decorates a fabric and passes each packet
 * to a {@link dev.verbena.sim.capture.PacketTap}. Implementations:
 *
 * <ul>
 *   <li>{@link dev.verbena.sim.capture.PcapngTap} writes a file for Wireshark.
 *   <li>{@link dev.verbena.sim.capture.TraceHash} computes the hash of a whole run. Two runs under virtual time with the same
 *       seed have the same hash.
 *   <li>{@link dev.verbena.sim.capture.CompositeTap} passes packets to several taps.
 * </ul>
 *
 * <p>If a {@code TappedFabric} decorates a {@code FaultyFabric}, the tap gets all packets. If a {@code FaultyFabric}
 * decorates a {@code TappedFabric}, the tap gets only the packets that no fault dropped. A tap never changes, keeps or
 * delays a packet.
 */
package dev.verbena.sim.capture;
