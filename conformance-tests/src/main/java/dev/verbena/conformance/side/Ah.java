package dev.verbena.conformance.side;

/** An address handle. */
public final class Ah extends Thing {
    Ah(Side side, int handle) {
        super(side, handle);
    }
}
