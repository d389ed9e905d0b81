// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of o2iblnd as objects without verbs, time and threads: credits, transmit queues, the RDMA WRITEs of a
 * transfer, and the answers to connection requests.
 *
 * <p>The owner passes events and the present time, and receives posts, completions and decisions. The owner must
 * serialize the calls.
 */
package dev.verbena.lnd.engine;
