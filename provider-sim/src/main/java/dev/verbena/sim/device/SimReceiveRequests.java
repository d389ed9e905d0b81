package dev.verbena.sim.device;

import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.Slots;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;

/** A batch of receive requests, each in the layout of the queue's own entries. */
final class SimReceiveRequests extends SimRequests<SimReceiveRequests, SimReceiveWorkRequest>
        implements ReceiveRequests {
    /**
     * Makes a batch.
     *
     * @param owner the queue pair or shared receive queue that alone takes it
     * @param context whose memory the requests may name
     * @param count how many requests
     * @param maxEntries how many scatter entries each may have
     */
    SimReceiveRequests(Object owner, SimContext context, int count, int maxEntries) {
        this(owner, context, count, maxEntries, Slots.of(Math.max(0, count), entrySize(maxEntries)));
    }

    private SimReceiveRequests(Object owner, SimContext context, int count, int maxEntries, Slots slots) {
        super(
                owner,
                count,
                index -> new SimReceiveWorkRequest(context, maxEntries, slots, (long) index * entrySize(maxEntries)));
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
