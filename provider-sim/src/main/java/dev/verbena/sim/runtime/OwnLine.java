package dev.verbena.sim.runtime;

/**
 * What one thread writes while others use what happens to lie before it in memory: the fields of a subclass begin a cache line
 * behind that, so that neither thread takes the line of the other. Between two threads that send to each other each line that both
 * use without need costs a message the time in which it goes from one processor to the other.
 *
 * <p>It relies on fields of a superclass being laid out first, larger ones before smaller ones, as HotSpot does. Elsewhere it
 * only costs memory.
 */
@SuppressWarnings("UnusedVariable")
public abstract class OwnLine {
    // Or a field of the subclass would come here, right behind the header.
    private int before0;
    private long before1;
    private long before2;
    private long before3;
    private long before4;
    private long before5;
    private long before6;
    private long before7;

    /** For subclasses. */
    protected OwnLine() {}
}
