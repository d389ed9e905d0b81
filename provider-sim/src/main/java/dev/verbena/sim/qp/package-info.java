// SPDX-License-Identifier: Apache-2.0
/**
 * The engines of a queue pair: {@link dev.verbena.sim.qp.Requester}, {@link dev.verbena.sim.qp.Completer} and
 * {@link dev.verbena.sim.qp.Responder} for reliable connections, the senders and receivers of UC and UD, and the state
 * they share. The input of a protocol engine is work requests, packets and the time; its output is packets, completions
 * and the next deadline. The protocol engines contain no thread, lock, clock, timer or socket.
 */
package dev.verbena.sim.qp;
