// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of o2iblnd as objects without verbs, time and threads: credits, transmit queues, the split of a transfer
 * into RDMA writes, and the answers to connection requests.
 *
 * <p>The owner passes in events and the present time, and gets posts, completions and decisions. It serializes the
 * calls.
 */
package dev.verbena.lnd.engine;
