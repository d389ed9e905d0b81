// SPDX-License-Identifier: Apache-2.0
/**
 * The part of LNet that a network driver needs above it. The package has NIDs and process ids, the 72-byte LNet header,
 * portals with match entries and memory descriptors, events, and the handling of PUT, GET, ACK and REPLY messages.
 *
 * <p>Names and numbers are Lustre's, so that a trace of this code can be compared with a trace of a Lustre node. The
 * package does not depend on RDMA: LNet calls a driver through {@link dev.verbena.lnet.Lnd}, and the driver calls LNet
 * through {@link dev.verbena.lnet.LndHost}. No class here starts a thread, reads a clock or waits, except
 * {@link dev.verbena.lnet.LnetEventQueue}, which waits by its runtime for its callers.
 */
package dev.verbena.lnet;
