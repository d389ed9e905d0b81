/** What a device counts, in the names of Soft-RoCE's hw_counters where it has one. No logic lives here. */
package dev.verbena.sim.counters;
