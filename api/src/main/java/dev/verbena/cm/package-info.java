// SPDX-License-Identifier: Apache-2.0
/**
 * Connections by IP address and port: the event channels, ids and events of librdmacm.
 *
 * <p>{@link dev.verbena.verbs.VerbsProvider#extension VerbsProvider.extension} returns the {@link
 * dev.verbena.cm.ConnectionManager} of a provider. If a provider has none, a program exchanges the numbers of its queue
 * pairs and connects them by {@link dev.verbena.verbs.QpConnector}.
 *
 * <ul>
 *   <li>A program with blocking calls uses {@link dev.verbena.cm.CmListener} at the server and {@link
 *       dev.verbena.cm.CmEndpoint} at both sides. An endpoint has a queue pair and its completion queues, as that of {@code
 *       rdma_create_ep(3)}.
 *   <li>A program with many connections creates a {@link dev.verbena.cm.ConnectionId} for each on one {@link
 *       dev.verbena.cm.EventChannel}, and one thread handles the events.
 *   <li>Datagrams and multicast need a {@link dev.verbena.cm.ConnectionId} of {@link dev.verbena.cm.PortSpace#UDP}. The event
 *       has the {@link dev.verbena.cm.UdParameters} to send to.
 * </ul>
 *
 * <p>The server posts receives before it accepts, and the client before it connects, because the peer may send as soon as the
 * connection is established.
 *
 * <p>The enums of events and capabilities get constants in later releases. An event whose number this release does not
 * know has the type {@link dev.verbena.cm.CmEventType#UNKNOWN}, and {@link dev.verbena.cm.CmEvent#typeCode} returns the
 * number. A {@code switch} over such an enum has a {@code default} branch, also if it names all constants of this
 * release.
 *
 * @since 1.0
 */
package dev.verbena.cm;
