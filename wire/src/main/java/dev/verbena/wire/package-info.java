// SPDX-License-Identifier: Apache-2.0
/**
 * The format of RoCEv2 packets. The package contains one flyweight per header, the opcode table, PSN arithmetic, the ICRC, and
 * a reusable buffer for a whole IP datagram.
 *
 * <p>All results of the package depend only on the bytes of a packet. No class of the package uses sockets, threads, clocks or
 * random numbers. No class of the package depends on queue pairs or verbs. No memory is allocated to build, parse or check a
 * packet.
 */
package dev.verbena.wire;
