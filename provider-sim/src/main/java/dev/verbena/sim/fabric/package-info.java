/**
 * How packets travel between ports. Decorators (faults, taps) and the pool of packets live here or beside it; nothing
 * here looks behind the base transport header or knows a queue pair.
 */
package dev.verbena.sim.fabric;
