// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of o2iblnd for credits, transmit queues, the RDMA WRITEs of a transfer, and the decisions about connection
 * requests. This package calls no verbs, starts no threads, and reads no clock.
 *
 * <p>The LND calls a protocol engine for each event and passes the present time. After the call, the LND posts the work
 * requests, and accepts, rejects or closes connections, as the protocol engine has decided. The LND must serialize all
 * calls of a protocol engine.
 */
package dev.verbena.lnd.engine;
