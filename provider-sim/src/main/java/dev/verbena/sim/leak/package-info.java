/** Objects that a program did not close: detection levels and reports. Values only; the devices keep the lists. */
package dev.verbena.sim.leak;
