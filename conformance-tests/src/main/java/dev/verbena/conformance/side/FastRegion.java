package dev.verbena.conformance.side;

/** A region of fast registration. */
public final class FastRegion extends Region {
    FastRegion(Side side, int handle, Memory memory, Reply.RegionFacts facts) {
        super(side, handle, memory, 0, facts);
    }

    /** Sets the memory that the next registration will cover. */
    public void map(long offset, long length) {
        facts(side().perform(new Step.MapFastRegion(handle(), memory().handle(), offset, length)));
    }
}
