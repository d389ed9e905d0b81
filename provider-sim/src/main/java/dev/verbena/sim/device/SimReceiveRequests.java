package dev.verbena.sim.device;

import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;

/** A batch of receive requests, each in the layout of the queue's own entries. */
final class SimReceiveRequests extends SimRequests<SimReceiveRequests, SimReceiveWorkRequest>
        implements ReceiveRequests {
    private final Slots slots;
    private final int entrySize;

    /**
     * Makes a batch.
     *
     * @param owner the queue pair or shared receive queue that alone takes it
     * @param context whose memory the requests may name
     * @param count how many requests
     * @param maxEntries how many scatter entries each may have
     */
    SimReceiveRequests(Object owner, SimContext context, int count, int maxEntries) {
        this(owner, context, count, maxEntries, entrySize(maxEntries));
    }

    private SimReceiveRequests(Object owner, SimContext context, int count, int maxEntries, int entrySize) {
        this(owner, context, count, maxEntries, entrySize, Slots.of(Math.max(0, count), entrySize));
    }

    private SimReceiveRequests(
            Object owner, SimContext context, int count, int maxEntries, int entrySize, Slots slots) {
        super(owner, count, index -> new SimReceiveWorkRequest(context, maxEntries, slots, (long) index * entrySize));
        this.slots = slots;
        this.entrySize = entrySize;
    }

    /** Copies a request into a queue whose lock the caller holds, unless something is wrong with it. */
    PostRefusal postTo(WorkQueue queue, int index) {
        long offset = (long) index * entrySize;
        // One that was posted before is not looked at as an object, which may be far away.
        if (!ReceiveWqe.isChecked(slots, offset)) {
            PostRefusal refusal = request(index).check();
            if (refusal != PostRefusal.NONE) {
                return refusal;
            }
        }
        if (queue.isFull()) {
            return PostRefusal.QUEUE_FULL;
        }
        queue.fill(slots, offset, ReceiveWqe.lengthOf(slots, offset));
        queue.produce();
        return PostRefusal.NONE;
    }

    /** Bytes of a receive with so many entries. */
    static int entrySize(int maxEntries) {
        return ReceiveWqe.HEADER_LENGTH + ScatterList.ENTRY_LENGTH * maxEntries;
    }

    @Override
    SimReceiveRequests self() {
        return this;
    }

    @Override
    public ReceiveWorkRequest get(int index) {
        return request(index);
    }
}
