// SPDX-License-Identifier: Apache-2.0
/**
 * LNet's ping: the responder replies to pings on portal 0 with information about its node, and acknowledges the pushes of
 * nodes that discover their peers. The pinger pings other nodes. A node of this library does not discover peers itself.
 */
package dev.verbena.lnet.ping;
