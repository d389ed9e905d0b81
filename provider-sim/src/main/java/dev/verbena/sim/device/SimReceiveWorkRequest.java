package dev.verbena.sim.device;

import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveWorkRequest;
import java.util.Objects;

/** A receive request in the layout of a queue entry. */
final class SimReceiveWorkRequest implements ReceiveWorkRequest {
    private final SimContext context;
    private final int maxEntries;
    private final Slots slots;
    private final long offset;
    private final ReceiveWqe wqe = new ReceiveWqe();
    private PostRefusal defect = PostRefusal.NONE;
    private long length;

    SimReceiveWorkRequest(SimContext context, int maxEntries, Slots slots, long offset) {
        this.context = context;
        this.maxEntries = maxEntries;
        this.slots = slots;
        this.offset = offset;
        wqe.wrap(slots, offset);
    }

    /** Copies the request into a queue whose lock the caller holds, unless something is wrong with it. */
    PostRefusal postTo(WorkQueue queue) {
        if (defect != PostRefusal.NONE) {
            return defect;
        }
        if (length > context.device().maxMessageSize()) {
            return PostRefusal.MESSAGE_TOO_LONG;
        }
        Ring ring = queue.ring();
        if (ring.isFull()) {
            return PostRefusal.QUEUE_FULL;
        }
        queue.fill(slots, offset, SimReceiveRequests.entrySize(wqe.scatter().count()));
        ring.produce();
        return PostRefusal.NONE;
    }

    @Override
    public ReceiveWorkRequest clear() {
        wqe.workRequestId(0);
        wqe.scatter().clear();
        defect = PostRefusal.NONE;
        length = 0;
        return this;
    }

    @Override
    public ReceiveWorkRequest id(long workRequestId) {
        wqe.workRequestId(workRequestId);
        return this;
    }

    @Override
    public ReceiveWorkRequest sge(MemoryRegion region, long from, long bytes) {
        context.memoryOf(region);
        Objects.checkFromIndexSize(from, bytes, region.length());
        if (wqe.scatter().count() == maxEntries) {
            defect = PostRefusal.TOO_MANY_SGES;
        } else {
            length += bytes;
            wqe.scatter().add(region.address() + from, (int) bytes, region.lkey());
        }
        return this;
    }

    @Override
    public String toString() {
        return wqe.toString();
    }
}
