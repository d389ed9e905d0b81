package dev.verbena.sim.queue;

/**
 * A cache line between what the two sides of a {@link Ring} write. It is a class of its own, as the virtual machine places the fields
 * of a class as it likes, but those of a superclass first.
 */
@SuppressWarnings("UnusedVariable") // They keep a distance.
abstract class RingDistance extends RingProducer {
    private long between1;
    private long between2;
    private long between3;
    private long between4;
    private long between5;
    private long between6;
    private long between7;

    RingDistance(Slots slots, int mask, int slotSize) {
        super(slots, mask, slotSize);
    }
}
