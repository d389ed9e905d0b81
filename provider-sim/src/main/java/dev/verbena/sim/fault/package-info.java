/**
 * Faults on links, as {@code dev.verbena.fault} describes them. Rules from outside judge packets; this package carries
 * out the verdicts and does not interpret packets.
 */
package dev.verbena.sim.fault;
