// SPDX-License-Identifier: Apache-2.0
/**
 * LNet without its LNDs: NIDs and process ids, the 72-byte LNet header, portals with match entries and memory
 * descriptors, events, and the handling of PUT, GET, ACK and REPLY messages.
 *
 * <p>This package uses Lustre's names and codes, such as those of message types, so that traces of this code and of a
 * Lustre node can be compared. The package does not depend on RDMA: LNet calls an LND through {@link dev.verbena.lnet.Lnd},
 * and the LND calls LNet through {@link dev.verbena.lnet.LndHost}. No class of {@code dev.verbena.lnet} starts a thread,
 * reads a clock or blocks, except that {@link dev.verbena.lnet.LnetEventQueue} blocks its callers.
 */
package dev.verbena.lnet;
