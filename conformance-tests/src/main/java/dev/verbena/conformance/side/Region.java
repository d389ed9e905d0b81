// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AccessFlag;
import java.util.Optional;
import java.util.Set;

/** A memory region, with the address and keys that its creation or its last change returned. */
public class Region extends SideObject {
    private final Memory memory;
    private final long offset;
    private Reply.RegionFacts facts;

    Region(Side side, int handle, Memory memory, long offset, Reply.RegionFacts facts) {
        super(side, handle);
        this.memory = memory;
        this.offset = offset;
        this.facts = facts;
    }

    final void facts(Reply reply) {
        facts = (Reply.RegionFacts) reply;
    }

    public final Memory memory() {
        return memory;
    }

    /** Returns the offset of the region from the start of its memory. */
    public final long offset() {
        return offset;
    }

    public final long address() {
        return facts.address();
    }

    public final long length() {
        return facts.length();
    }

    public final int rkey() {
        return facts.rkey();
    }

    public final int lkey() {
        return facts.lkey();
    }

    /** Returns a scatter-gather entry for a range of this memory region. */
    public final Sge sge(long partOffset, long partLength) {
        return new Sge(handle(), partOffset, partLength);
    }

    /** Returns the rkey of this memory region, and the address of the byte at the given offset. */
    public final Send.RemoteMemory at(long partOffset) {
        return new Send.RemoteMemory(address() + partOffset, rkey());
    }

    public final void reregister(Set<AccessFlag> access) {
        facts(side().perform(
                        new Step.Reregister(handle(), Optional.empty(), Optional.empty(), 0, 0, Optional.of(access))));
    }

    public final void reregister(Pd pd) {
        facts(side().perform(new Step.Reregister(
                handle(), Optional.of(pd.handle()), Optional.empty(), 0, 0, Optional.empty())));
    }

    public final void reregister(long newOffset, long newLength) {
        facts(side().perform(new Step.Reregister(
                handle(), Optional.empty(), Optional.of(memory.handle()), newOffset, newLength, Optional.empty())));
    }
}
