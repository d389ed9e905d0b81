package dev.verbena.sim.device;

import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;

/** A batch of send requests, each in the layout of the queue's own entries. */
final class SimSendRequests extends SimRequests<SimSendWorkRequest> implements SendRequests {
    SimSendRequests(SimQueuePair owner, int count) {
        this(owner, count, SendWqe.headerLength(owner.type()) + owner.sendArea());
    }

    private SimSendRequests(SimQueuePair owner, int count, int entrySize) {
        this(owner, count, entrySize, Slots.of(Math.max(0, count), entrySize));
    }

    private SimSendRequests(SimQueuePair owner, int count, int entrySize, Slots slots) {
        super(owner, count, index -> new SimSendWorkRequest(owner, slots, (long) index * entrySize));
    }

    @Override
    public SendWorkRequest get(int index) {
        return request(index);
    }
}
