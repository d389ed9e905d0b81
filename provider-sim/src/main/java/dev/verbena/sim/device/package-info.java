/**
 * The verbs objects of the software device: what {@link dev.verbena.verbs} promises, over the engines, queues and memory of
 * the other packages. Here are the locks, the tasks and the life cycles; no transport protocol.
 */
package dev.verbena.sim.device;
