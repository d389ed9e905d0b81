// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AccessFlag;
import java.util.Set;

/** A memory region that REG_MR work requests register (fast registration, FRWR). */
public final class FastRegion extends Region {
    FastRegion(Side side, int handle, Memory memory, Reply.RegionFacts facts) {
        super(side, handle, memory, 0, facts);
    }

    /** Returns the arguments of a work request that registers this region with the given access rights. */
    public Send.Binding registration(AccessFlag... access) {
        return new Send.Binding(handle(), handle(), 0, 0, Set.of(access));
    }

    /** Sets the memory that the next registration of the region will cover. */
    public void map(long offset, long length) {
        facts(side().perform(new Step.MapFastRegion(handle(), memory().handle(), offset, length)));
    }
}
