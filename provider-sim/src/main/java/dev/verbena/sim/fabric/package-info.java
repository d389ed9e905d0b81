/**
 * The transmission of packets between ports. Decorators (faults, taps) and the pool of packets are here or in
 * neighbouring packages. Except for the packet class itself, which has its transport headers as fields or as bytes,
 * this package reads no header after the BTH and knows no queue pairs.
 */
package dev.verbena.sim.fabric;
