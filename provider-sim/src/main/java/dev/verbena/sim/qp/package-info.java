// SPDX-License-Identifier: Apache-2.0
/**
 * The protocol state machines of a queue pair: {@link dev.verbena.sim.qp.Requester}, {@link dev.verbena.sim.qp.Completer}
 * and {@link dev.verbena.sim.qp.Responder} for RC, the requesters and responders for UC and UD, and their shared state. The
 * input of a protocol state machine is work requests, packets and the time; its output is packets, completions and the next
 * deadline. The protocol state machines contain no thread, lock, clock, timer or socket.
 */
package dev.verbena.sim.qp;
