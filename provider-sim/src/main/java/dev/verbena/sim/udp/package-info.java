// SPDX-License-Identifier: Apache-2.0
/**
 * RoCEv2 over UDP sockets of the host. Class {@link dev.verbena.sim.udp.UdpFabric} is a fabric whose ports send and receive
 * through these sockets. The peers of a {@code UdpFabric} port can be devices of this library, Linux Soft-RoCE, and RDMA
 * adapters (RNICs).
 *
 * <p>All features work with {@link java.nio.channels.DatagramChannel} alone. The class {@code SocketCalls} calls Linux's C
 * library, to transfer several datagrams in one call and to set options that Java does not support. The fabric works without
 * native calls, unless the application demands them by {@link dev.verbena.sim.udp.NativeUse#ALWAYS}.
 *
 * <p>This package reads only the header fields for addresses, ICRC, GSO/GRO batches and ACK coalescing.
 */
package dev.verbena.sim.udp;
