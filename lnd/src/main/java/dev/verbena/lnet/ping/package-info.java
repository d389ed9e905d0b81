// SPDX-License-Identifier: Apache-2.0
/**
 * The ping of LNet: answers pings on portal 0 with the node's information, and pings other nodes. The responder also
 * accepts and acknowledges the pushes of nodes that discover their peers. It starts no discovery of its own.
 */
package dev.verbena.lnet.ping;
