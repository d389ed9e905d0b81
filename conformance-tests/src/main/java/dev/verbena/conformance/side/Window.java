// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.RemoteKey;
import java.util.Set;

/** A memory window. */
public final class Window extends Thing {
    Window(Side side, int handle) {
        super(side, handle);
    }

    /** Names the part of a region that the window is to be bound to, and the rights. */
    public Send.Binding to(Region region, long offset, long length, AccessFlag... access) {
        return new Send.Binding(handle(), region.handle(), offset, length, Set.of(access));
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
