/**
 * Time, tasks, alarms and chance, in two implementations: threads and wall time; one thread and virtual time from a
 * seed. Also the locks and words by which threads meet. Nothing here knows a packet or a queue pair, and nothing outside
 * reads a clock or draws a random number.
 */
package dev.verbena.sim.runtime;
