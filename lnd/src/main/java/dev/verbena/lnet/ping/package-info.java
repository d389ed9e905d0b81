// SPDX-License-Identifier: Apache-2.0
/**
 * LNet's ping: the responder answers pings on portal 0 with the information of the node, and acknowledges the pushes
 * of nodes that discover their peers. The pinger pings other nodes. Discovery is not implemented.
 */
package dev.verbena.lnet.ping;
