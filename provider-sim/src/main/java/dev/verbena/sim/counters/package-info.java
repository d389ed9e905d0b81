/** The counters of a device, with the names of Soft-RoCE's hw_counters where it has one. */
package dev.verbena.sim.counters;
