// SPDX-License-Identifier: Apache-2.0
/**
 * The queue pair's engines: {@link dev.verbena.sim.qp.Requester}, {@link dev.verbena.sim.qp.Completer} and
 * {@link dev.verbena.sim.qp.Responder} for reliable connections, the senders and receivers of UC and UD without acknowledgements, and the state they
 * share. The inputs are a work request or a packet, and the time. The outputs are packets and completions through
 * {@link dev.verbena.sim.qp.QpOutput}, and the next deadline. The engines contain no thread, lock, clock, timer or socket.
 */
package dev.verbena.sim.qp;
