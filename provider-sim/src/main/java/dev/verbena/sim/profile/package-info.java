/**
 * What kind of device to simulate: limits, capabilities, and where it departs from the specification. Values only; the
 * behaviour itself is in the engines and objects that ask for them.
 */
package dev.verbena.sim.profile;
