// SPDX-License-Identifier: Apache-2.0
/**
 * The format of RoCEv2 packets. The package has one flyweight per header, the opcode table, PSN arithmetic, the ICRC, and a
 * reusable buffer for a whole IP datagram.
 *
 * <p>All results depend only on the bytes of a packet. No class uses a socket, thread, clock or source of randomness, or
 * depends on queue pairs or verbs. Building, parsing and checking a packet allocates no memory.
 */
package dev.verbena.wire;
