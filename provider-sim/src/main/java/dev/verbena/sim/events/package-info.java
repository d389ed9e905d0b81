/**
 * What Java Flight Recorder is told of queue pairs: {@code dev.verbena.QpTransition}, {@code dev.verbena.Retransmission}, {@code
 * dev.verbena.CompletionError}. They cost nothing while no recording asks for them. Engines do not come here; their driver does.
 */
package dev.verbena.sim.events;
