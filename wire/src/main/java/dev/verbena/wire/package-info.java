// SPDX-License-Identifier: Apache-2.0
/**
 * The format of RoCEv2 packets. The package {@code wire} contains one flyweight class per header, the opcode table, PSN
 * arithmetic, the ICRC, and a reusable buffer for a whole IP datagram.
 *
 * <p>All results of {@code wire} depend only on the bytes of a packet. No class of {@code wire} uses sockets, threads,
 * clocks or random numbers, or depends on queue pairs or verbs. No memory is allocated to build, parse or check a packet.
 */
package dev.verbena.wire;
