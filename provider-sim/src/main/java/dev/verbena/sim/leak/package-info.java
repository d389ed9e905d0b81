/** What a program forgot to close: levels of watching, and what is reported. Values only; the books are the devices' own. */
package dev.verbena.sim.leak;
