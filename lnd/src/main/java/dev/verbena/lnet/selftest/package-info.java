// SPDX-License-Identifier: Apache-2.0
/**
 * The protocol of lnet_selftest: a server that a console of Lustre's {@code lst} can test, and a driver that tests any node.
 *
 * <p>Every request and reply is one message of 160 bytes, sent by PUT without ACK; the data of brw tests moves by PUT and GET of
 * the server. Both ends work on event handlers and timers of the node's runtime; nothing here waits or starts a thread. Consoles
 * for other nodes, and clients that a console commands, are not built.
 */
package dev.verbena.lnet.selftest;
