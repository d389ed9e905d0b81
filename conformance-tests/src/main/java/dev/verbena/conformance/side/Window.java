// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.RemoteKey;
import java.util.Set;

public final class Window extends SideObject {
    Window(Side side, int handle) {
        super(side, handle);
    }

    /**
     * Returns the arguments for binding this memory window to a range of the memory region with the given access rights.
     */
    public Send.Binding to(Region region, long offset, long length, AccessFlag... access) {
        return new Send.Binding(handle(), region.handle(), offset, length, Set.of(access));
    }

    public int rkey() {
        return (int) ((Reply.Count) side().perform(new Step.AskRkey(handle()))).value();
    }

    /** Returns the key that a type 2 memory window will have after its next bind. */
    public int nextRkey() {
        return RemoteKey.increment(rkey());
    }
}
