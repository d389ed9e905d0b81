/**
 * The kind of device to simulate: limits, capabilities, and departures from the specification. Values only; the engines
 * and objects that read them have the behaviour.
 */
package dev.verbena.sim.profile;
