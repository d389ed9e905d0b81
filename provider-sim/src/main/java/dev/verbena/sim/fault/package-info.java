/**
 * Faults on links, as {@code dev.verbena.fault} describes them. What judges is given from outside; here it is carried
 * out. Nothing here knows what a packet means.
 */
package dev.verbena.sim.fault;
