// SPDX-License-Identifier: Apache-2.0
/**
 * Connections by IP address and port: the event channels, ids and events of librdmacm.
 *
 * <p>{@link dev.verbena.verbs.VerbsProvider#extension} returns the {@link ConnectionManager} of a provider. If a provider
 * has no connection manager, two applications exchange the connection data (LID, QPN, PSN, GID) of their queue pairs, and
 * each application connects its own queue pair with a {@link dev.verbena.verbs.QpConnector}.
 *
 * <ul>
 *   <li>An application with blocking calls uses {@link CmListener} in the server, and {@link CmEndpoint} in server and
 *       client. A {@code CmEndpoint} has a queue pair and completion queues, like an id of {@code rdma_create_ep(3)}.
 *   <li>An application with many connections creates a {@link ConnectionId} for each connection on one {@link
 *       EventChannel}, and one thread handles the events.
 *   <li>Datagrams and multicast need a {@link ConnectionId} of {@link PortSpace#UDP}. The ESTABLISHED event of a UDP id
 *       has the {@link UdParameters}, which are the destination of datagrams to the peer.
 * </ul>
 *
 * <p>A peer may send as soon as the connection is established. A server must post receive requests before it accepts, and a
 * client must post receive requests before it connects. Otherwise the peer's first message may arrive before a receive
 * request is posted.
 *
 * <p>Later releases add constants to the enums of events and capabilities. If Verbena does not know the type of an event,
 * the event has the type {@link CmEventType#UNKNOWN}, and {@link CmEvent#typeCode} returns the C value of the type. A
 * {@code switch} over an enum with UNKNOWN needs a {@code default} branch, even if the {@code switch} names all constants
 * of this release.
 *
 * @since 1.0
 */
package dev.verbena.cm;
