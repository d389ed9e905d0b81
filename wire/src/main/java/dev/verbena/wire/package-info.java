// SPDX-License-Identifier: Apache-2.0
/**
 * RoCEv2 packets as they are on the wire. The package has one flyweight per header, the opcode table, PSN arithmetic,
 * the ICRC, and a reusable buffer for a whole IP datagram.
 *
 * <p>Everything here is a pure function of bytes. No socket, thread, clock or source of randomness may live here, and
 * nothing here knows queue pairs or verbs. Building, parsing and checking a packet allocates nothing.
 */
package dev.verbena.wire;
