// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of o2iblnd without verbs, time and threads: credits, transmit queues, the RDMA WRITEs of a transfer, and
 * the decisions about connection requests.
 *
 * <p>The owner of an engine passes events and the present time, and executes the posts and decisions of the engine. The
 * owner must serialize all calls of an engine.
 */
package dev.verbena.lnd.engine;
