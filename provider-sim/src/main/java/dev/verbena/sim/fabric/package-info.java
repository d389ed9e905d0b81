/**
 * How packets travel between ports. Decorators (faults, taps) and the pool of packets live here or beside it; but for
 * the packet itself, which has its transport headers as fields or as bytes, nothing here looks behind the base transport header, and
 * nothing knows a queue pair.
 */
package dev.verbena.sim.fabric;
