package dev.verbena.sim.model;

/**
 * A receive as it was posted.
 *
 * @param id its work request id
 * @param buffer where messages go
 * @param broken whether its region is closed
 * @param posted when
 */
record Slot(long id, Piece buffer, boolean broken, long posted) {}
