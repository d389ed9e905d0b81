package dev.verbena.lnd.memory;

import dev.verbena.lnd.RegistrationKind;
import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.verbs.MemoryRegion;
import java.util.ArrayDeque;
import java.util.Deque;

/** Names memory by the region over all of it: nothing to do per transfer, and a fragment for each page of a piece. */
final class GlobalRegionStrategy implements RegistrationStrategy {

    private final NodeMemory memory;
    private final Deque<Part> free = new ArrayDeque<>();
    private int made;

    GlobalRegionStrategy(NodeMemory memory) {
        this.memory = memory;
    }

    private final class Part extends Registration {
        @Override
        public MemoryRegion region() {
            return memory.region();
        }

        @Override
        public int rkey() {
            return memory.region().rkey();
        }

        @Override
        public void release(boolean failed) {
            free.push(this);
        }
    }

    @Override
    public RegistrationKind kind() {
        return RegistrationKind.GLOBAL_REGION;
    }

    @Override
    public Registration map(PieceList pieces, boolean sink) {
        Part part = free.poll();
        if (part == null) {
            part = new Part();
            made++;
        }
        FragmentList local = part.local();
        local.clear();
        for (int i = 0; i < pieces.count(); i++) {
            local.addPages(pieces.offset(i), pieces.length(i));
        }
        part.wire().set(local, memory.region().address());
        return part;
    }

    @Override
    public int inUse() {
        return made - free.size();
    }

    @Override
    public void close() {}
}
