// SPDX-License-Identifier: Apache-2.0
/**
 * LNet's ping: the responder answers pings on portal 0 with the information of the node, and acknowledges the pushes
 * of nodes that discover their peers. The pinger pings other nodes. A node of this library does
 * not discover its peers.
 */
package dev.verbena.lnet.ping;
