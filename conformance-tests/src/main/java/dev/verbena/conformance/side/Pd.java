// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.MrAdvice;
import dev.verbena.verbs.MrRange;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpType;
import java.util.Optional;
import java.util.Set;

public final class Pd extends SideObject {
    private Pd(Side side, int handle) {
        super(side, handle);
    }

    public static Pd open(Side side) {
        int handle = side.newHandle();
        side.perform(new Step.OpenPd(handle));
        return new Pd(side, handle);
    }

    public Region register(Memory memory, AccessFlag... access) {
        return register(memory, 0, memory.bytes(), Set.of(access));
    }

    public Region register(Memory memory, long offset, long length, Set<AccessFlag> access) {
        return register(memory, offset, length, Optional.empty(), access);
    }

    public Region register(Memory memory, long offset, long length, Optional<Long> iova, Set<AccessFlag> access) {
        int handle = side().newHandle();
        Reply facts = side().perform(new Step.Register(
                handle, handle(), new Step.Range(memory.handle(), offset, length), iova, access));
        return new Region(side(), handle, memory, offset, (Reply.RegionFacts) facts);
    }

    /**
     * Registers the whole address space as an implicit on-demand region. The offsets of the returned {@link Region}
     * count from the start of the given memory.
     */
    public Region registerImplicit(Memory memory, AccessFlag... access) {
        int handle = side().newHandle();
        Reply facts = side().perform(new Step.RegisterImplicit(handle, handle(), Set.of(access)));
        return new Region(side(), handle, memory, 0, (Reply.RegionFacts) facts);
    }

    /** Calls ibv_advise_mr for memory of this domain's regions. */
    public void advise(MrAdvice advice, boolean flush, MrRange range) {
        side().perform(new Step.Advise(handle(), advice, flush, range));
    }

    public Qp qp(QpType type, Cq sends, Cq receives, QpCapabilities capabilities) {
        return qp(type, sends, receives, Optional.empty(), capabilities, false);
    }

    public Qp qp(
            QpType type, Cq sends, Cq receives, Optional<Srq> srq, QpCapabilities capabilities, boolean signalAll) {
        int handle = side().newHandle();
        Reply facts = side().perform(new Step.OpenQp(
                handle,
                handle(),
                new Step.QpSettings(
                        sends.handle(), receives.handle(), srq.map(Srq::handle), type, capabilities, signalAll)));
        return new Qp(side(), handle, type, sends, receives, (Reply.QpFacts) facts);
    }

    public Srq srq(int maxWr, int maxSge, int limit) {
        int handle = side().newHandle();
        Reply facts = side().perform(new Step.OpenSrq(handle, handle(), maxWr, maxSge, limit));
        return new Srq(side(), handle, ((Reply.SrqFacts) facts).attributes());
    }

    public Ah ah(AddressVector vector) {
        int handle = side().newHandle();
        side().perform(new Step.OpenAh(handle, handle(), vector));
        return new Ah(side(), handle);
    }

    /** Creates an address handle for the address of the other device. */
    public Ah ah(Side peer) {
        return ah(Connection.pathTo(side(), peer));
    }

    public Window window(MemoryWindowType type) {
        int handle = side().newHandle();
        side().perform(new Step.OpenWindow(handle, handle(), type));
        return new Window(side(), handle);
    }

    public FmrPages fmr(Memory memory, int maxPages, AccessFlag... access) {
        int handle = side().newHandle();
        Reply facts = side().perform(new Step.OpenFmr(handle, handle(), maxPages, Set.of(access)));
        return new FmrPages(side(), handle, memory, (Reply.RegionFacts) facts);
    }

    public FastRegion fastRegion(Memory memory, int maxPages) {
        int handle = side().newHandle();
        Reply facts = side().perform(new Step.OpenFastRegion(handle, handle(), maxPages));
        return new FastRegion(side(), handle, memory, (Reply.RegionFacts) facts);
    }
}
