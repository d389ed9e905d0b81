// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/**
 * Padding before the fields of a subclass. The padding separates the fields from the preceding object in memory, so
 * that the fields and that object do not share a cache line. If two threads exchange messages, each cache line that
 * both threads access must be transferred between processors, and each transfer delays a message.
 *
 * <p>The padding relies on a layout with the superclass's fields first and larger fields before smaller ones, as in HotSpot. In
 * a JVM that orders the fields of an object differently, the padding only costs memory.
 */
@SuppressWarnings("UnusedVariable")
public abstract class CacheLinePadded {
    // This field fills the gap after the object header, where the JVM would otherwise place a field of the subclass.
    private int before0;
    private long before1;
    private long before2;
    private long before3;
    private long before4;
    private long before5;
    private long before6;
    private long before7;

    /** Constructor for subclasses. */
    protected CacheLinePadded() {}
}
