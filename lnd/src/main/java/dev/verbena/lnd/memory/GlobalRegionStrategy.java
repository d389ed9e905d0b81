// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.lnd.engine.FragmentList;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Peers get the R_Key of one memory region that contains the node's whole registered memory. An RDMA transfer registers no
 * memory. The node describes a transfer's memory to the peer as a list of fragments. No fragment crosses a page boundary.
 * Every peer that knows this R_Key may write to the node's whole registered memory.
 */
public final class GlobalRegionStrategy implements RegistrationStrategy {

    private final NodeMemory memory;
    private final Deque<Part> free = new ArrayDeque<>();
    private int made;

    public GlobalRegionStrategy(NodeMemory memory) {
        this.memory = memory;
    }

    private final class Part extends Registration {
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
    public Registration map(PieceList pieces) {
        Part part = free.poll();
        if (part == null) {
            part = new Part();
            made++;
        }
        FragmentList wire = part.wire();
        wire.clear();
        for (int i = 0; i < pieces.count(); i++) {
            wire.addPages(memory.region().address(), pieces.offset(i), pieces.length(i));
        }
        return part;
    }

    @Override
    public int inUse() {
        return made - free.size();
    }

    @Override
    public void close() {}
}
