// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.util.List;

/** A region of FMR, which a call maps and another one unmaps. */
public final class FmrPages extends Region {
    FmrPages(Side side, int handle, Memory memory, Reply.RegionFacts facts) {
        super(side, handle, memory, 0, facts);
    }

    /** Maps whole pages of its memory, for peers at an address of the caller's choice. */
    public void map(long offset, long length, long iova) {
        facts(side().perform(new Step.MapFmr(handle(), memory().handle(), offset, length, iova)));
    }

    public void unmap() {
        side().perform(new Step.UnmapFmrs(List.of(handle())));
    }
}
