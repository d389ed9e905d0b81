// SPDX-License-Identifier: Apache-2.0
/**
 * The protocol of lnet_selftest: a server that a console of Lustre's {@code lst} can test, and a program that tests
 * other nodes.
 *
 * <p>Every request and every reply of lnet_selftest is one message of 160 bytes, sent by a PUT without ACK. The server
 * transfers the data of brw tests by PUT and GET. All work runs in event handlers and timers of the node's {@link
 * dev.verbena.verbs.VerbsRuntime}. No class of this package starts a thread or blocks a thread. This implementation of
 * lnet_selftest has no console for several nodes, and no client that a console can control.
 */
package dev.verbena.lnet.selftest;
