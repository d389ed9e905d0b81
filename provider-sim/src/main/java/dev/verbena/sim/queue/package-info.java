/**
 * Rings in the shape of rxe_queue, and the flyweights of what they hold: send and receive work queue entries, completion
 * queue entries. Nothing here knows a packet, a state machine or a verbs object.
 */
package dev.verbena.sim.queue;
