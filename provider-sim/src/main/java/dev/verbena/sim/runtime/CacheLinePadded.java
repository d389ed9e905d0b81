// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/**
 * Separates the fields of a subclass, which one thread writes, from the object that lies before it in memory, which
 * other threads may use. The fields of the subclass begin at least a cache line after that object, so that the threads
 * do not contend for a line. Between two threads that send to each other, each line that they share without need delays
 * a message by a transfer between processors.
 *
 * <p>This relies on a layout with the superclass's fields first and larger fields before smaller ones, as in HotSpot.
 * With another layout it only costs memory.
 */
@SuppressWarnings("UnusedVariable")
public abstract class CacheLinePadded {
    // Fills the gap after the object header, which otherwise a field of the subclass would fill.
    private int before0;
    private long before1;
    private long before2;
    private long before3;
    private long before4;
    private long before5;
    private long before6;
    private long before7;

    /** For subclasses. */
    protected CacheLinePadded() {}
}
