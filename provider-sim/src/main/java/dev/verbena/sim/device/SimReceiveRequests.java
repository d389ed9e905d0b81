// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;

/** A batch of receive requests, each in the layout of a receive WQE. */
final class SimReceiveRequests extends SimRequests<SimReceiveRequests, SimReceiveWorkRequest>
        implements ReceiveRequests {
    private final Slots slots;
    private final int entrySize;
    private final long maxMessageSize;

    /**
     * Creates a batch of receive requests that can be posted only to the queue pair or SRQ {@code owner}. Each receive
     * request may have up to {@code maxMessageSize} bytes.
     */
    SimReceiveRequests(Object owner, Device device, long maxMessageSize, int count, int maxEntries) {
        this(owner, device, maxMessageSize, count, maxEntries, Slots.of(Math.max(0, count), entrySize(maxEntries)));
    }

    private SimReceiveRequests(
            Object owner, Device device, long maxMessageSize, int count, int maxEntries, Slots slots) {
        super(
                owner,
                count,
                index -> new SimReceiveWorkRequest(device, maxEntries, slots, (long) index * entrySize(maxEntries)));
        this.slots = slots;
        entrySize = entrySize(maxEntries);
        this.maxMessageSize = maxMessageSize;
    }

    /** Copies a request into a queue, or returns the reason for the refusal. The caller must hold the queue's lock. */
    PostRefusal postTo(WorkQueue queue, int index) {
        long offset = (long) index * entrySize;
        // If the WQE has the flag `isChecked`, its SimReceiveWorkRequest is not accessed, which saves a cache miss.
        if (!ReceiveWqe.isChecked(slots, offset)) {
            PostRefusal refusal = request(index).check(maxMessageSize);
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
