// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.util.List;

/** A fast memory region (FMR): one call maps its pages, and another call unmaps them. */
public final class FmrPages extends Region {
    FmrPages(Side side, int handle, Memory memory, Reply.RegionFacts facts) {
        super(side, handle, memory, 0, facts);
    }

    /** Maps whole pages of memory at a remote address. */
    public void map(long offset, long length, long iova) {
        facts(side().perform(new Step.MapFmr(handle(), memory().handle(), offset, length, iova)));
    }

    public void unmap() {
        side().perform(new Step.UnmapFmrs(List.of(handle())));
    }
}
