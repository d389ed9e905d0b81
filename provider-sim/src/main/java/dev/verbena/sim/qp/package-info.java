/**
 * The queue pair's engines: {@link dev.verbena.sim.qp.Requester}, {@link dev.verbena.sim.qp.Completer} and {@link
 * dev.verbena.sim.qp.Responder} for reliable connections, halves without answers for UC and UD, and the state they share. A
 * work request or a packet and the time go in; packets, completions and the next deadline come out through {@link
 * dev.verbena.sim.qp.QpOutput}. No thread, lock, clock, timer or socket lives here.
 */
package dev.verbena.sim.qp;
