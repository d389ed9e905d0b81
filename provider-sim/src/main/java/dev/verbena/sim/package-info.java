// SPDX-License-Identifier: Apache-2.0
/**
 * A RoCEv2 device in software, modelled on Linux Soft-RoCE.
 *
 * <p>Most programs need no class of this package: {@code VerbsProviders.named("sim")} is
 * {@link dev.verbena.sim.DefaultSimProvider}, and {@code dev.verbena.junit} builds networks for tests. A program that needs its
 * own network creates a {@link dev.verbena.sim.SimProvider} from three parts:
 *
 * <ol>
 *   <li>A runtime from {@link dev.verbena.sim.runtime}. {@code ThreadRuntime} uses threads and wall time.
 *       {@code VirtualRuntime} uses virtual time, and takes random numbers from a seed.
 *   <li>A fabric to carry the packets, either {@code InProcessFabric} of {@link dev.verbena.sim.fabric} or {@code UdpFabric} of
 *       {@link dev.verbena.sim.udp}. {@code FaultyFabric} of {@link dev.verbena.sim.fault} and {@code TappedFabric} of
 *       {@link dev.verbena.sim.capture} decorate a fabric.
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
