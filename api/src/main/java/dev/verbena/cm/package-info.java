// SPDX-License-Identifier: Apache-2.0
/**
 * Connections by IP address and port: the event channels, ids and events of librdmacm.
 *
 * <p>{@link dev.verbena.verbs.VerbsProvider#extension VerbsProvider.extension} returns the {@link
 * dev.verbena.cm.ConnectionManager} of a provider. If a provider has no connection manager, a program exchanges the numbers of
 * its queue pairs and connects them by {@link dev.verbena.verbs.QpConnector}.
 *
 * <ul>
 *   <li>A program with blocking calls uses {@link dev.verbena.cm.CmListener} in the server, and {@link dev.verbena.cm.CmEndpoint}
 *       in server and client. An endpoint has a queue pair and its completion queues, as an endpoint of {@code
 *       rdma_create_ep(3)}.
 *   <li>A program with many connections creates a {@link dev.verbena.cm.ConnectionId} for each connection on one {@link
 *       dev.verbena.cm.EventChannel}, and one thread handles the events.
 *   <li>Datagrams and multicast need a {@link dev.verbena.cm.ConnectionId} of {@link dev.verbena.cm.PortSpace#UDP}. An event has
 *       the {@link dev.verbena.cm.UdParameters}, the destination of the datagrams.
 * </ul>
 *
 * <p>The server posts receives before it accepts, and the client before it connects, because the peer may send as soon as the
 * connection is established.
 *
 * <p>Later releases add constants to the enums of events and capabilities. An event with a number that this release does not know
 * has the type {@link dev.verbena.cm.CmEventType#UNKNOWN}, and {@link dev.verbena.cm.CmEvent#typeCode} returns the number. A
 * {@code switch} over such an enum needs a {@code default} branch, even if it names all constants of this release.
 *
 * @since 1.0
 */
package dev.verbena.cm;
