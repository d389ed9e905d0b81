// SPDX-License-Identifier: Apache-2.0
/**
 * The protocol logic of o2iblnd: credits, transmit queues, the RDMA WRITEs of a transfer, and the decisions about
 * connection requests. This package calls no verbs, starts no threads, and reads no clock.
 *
 * <p>For each event, the LND calls a {@code ConnectionEngine} with the current time. The {@code ConnectionEngine} calls
 * {@code EnginePort} to post work requests and to close the connection. {@code Handshake} decides how the LND reacts to a
 * connection request, a reply or a rejection. The LND must serialize all calls of a {@code ConnectionEngine}.
 */
package dev.verbena.lnd.engine;
