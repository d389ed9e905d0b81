package dev.verbena.conformance.side;

import dev.verbena.verbs.RemoteKey;

/** A memory window. */
public final class Window extends Thing {
    Window(Side side, int handle) {
        super(side, handle);
    }

    /** Returns the present key. */
    public int rkey() {
        return (int) ((Reply.Count) side().perform(new Step.AskRkey(handle()))).value();
    }

    /** Returns the key after the next bind of a window of type 2. */
    public int nextRkey() {
        return RemoteKey.increment(rkey());
    }
}
