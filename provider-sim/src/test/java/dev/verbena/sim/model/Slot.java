// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

/**
 * A receive as it was posted.
 *
 * @param id its work request id
 * @param buffer the memory of the message
 * @param broken whether its region is closed
 * @param posted the step in which it was posted
 */
record Slot(long id, MemoryRange buffer, boolean broken, long posted) {}
