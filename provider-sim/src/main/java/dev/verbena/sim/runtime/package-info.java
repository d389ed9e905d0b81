/**
 * Time, tasks, alarms and random generators, in two implementations: threads and wall time; one thread and virtual time
 * from a seed. Also the locks and primitives by which threads synchronize. This package knows no packet and no queue
 * pair. No other package reads a clock or draws a random number.
 */
package dev.verbena.sim.runtime;
