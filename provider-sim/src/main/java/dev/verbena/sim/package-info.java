// SPDX-License-Identifier: Apache-2.0
/**
 * A software RoCEv2 device, modelled on Linux Soft-RoCE.
 *
 * <p>Most applications need no class of this package: {@code VerbsProviders.named("sim")} returns a {@link
 * dev.verbena.sim.DefaultSimProvider}, and {@code dev.verbena.junit} creates networks of software devices for tests. An
 * application that needs its own network creates a {@link dev.verbena.sim.SimProvider} from three objects:
 *
 * <ol>
 *   <li>A task scheduler ({@code SimRuntime}) of {@link dev.verbena.sim.runtime}. {@code ThreadRuntime} uses threads and
 *       wall-clock time. {@code VirtualRuntime} uses virtual time, and takes random numbers from a seed.
 *   <li>A fabric that transmits the packets, either {@code InProcessFabric} of {@link dev.verbena.sim.fabric} or {@code
 *       UdpFabric} of {@link dev.verbena.sim.udp}. {@code FaultyFabric} of {@link dev.verbena.sim.fault} and {@code
 *       TappedFabric} of {@link dev.verbena.sim.capture} wrap another fabric.
 *   <li>A list of {@link dev.verbena.sim.SimDeviceSpec}, with the name, address and profile of each device.
 * </ol>
 *
 * {@snippet lang = java :
 * SimRuntime runtime = new VirtualRuntime(7); // the seed
 * Fabric fabric = new InProcessFabric(runtime, LinkProperties.DEFAULT);
 * List<SimDeviceSpec> devices =
 *     List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2"));
 * SimProvider provider = new SimProvider(runtime, fabric, devices);
 * }
 */
package dev.verbena.sim;
