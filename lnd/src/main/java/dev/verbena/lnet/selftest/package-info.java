// SPDX-License-Identifier: Apache-2.0
/**
 * The protocol of lnet_selftest: a server that a console of Lustre's {@code lst} can test, and a driver that tests any
 * node.
 *
 * <p>Every request and reply is one message of 160 bytes, sent by PUT without ACK. The server transfers the data of
 * brw tests by PUT and GET. All work runs on event handlers and timers of the node's runtime; no class blocks or
 * starts a thread. The package has no console for several nodes, and no clients that a console controls.
 */
package dev.verbena.lnet.selftest;
