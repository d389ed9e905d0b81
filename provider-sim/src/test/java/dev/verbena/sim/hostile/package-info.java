/** Packets of somebody who means harm, at a device that others use at the same time. */
package dev.verbena.sim.hostile;
