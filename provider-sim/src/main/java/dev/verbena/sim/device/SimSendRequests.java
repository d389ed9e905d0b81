package dev.verbena.sim.device;

import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import java.util.Objects;

/** A batch of send requests, each in the layout of the poster's part of the queue's entries. */
final class SimSendRequests extends SimRequests<SimSendRequests, SimSendWorkRequest> implements SendRequests {
    private final Slots slots;
    private final int entrySize;

    SimSendRequests(SimQueuePair owner, int count) {
        this(owner, count, SendWqe.headerLength(owner.type()) + owner.sendArea());
    }

    private SimSendRequests(SimQueuePair owner, int count, int entrySize) {
        this(owner, count, entrySize, Slots.of(Math.max(0, count), entrySize));
    }

    private SimSendRequests(SimQueuePair owner, int count, int entrySize, Slots slots) {
        super(owner, count, index -> new SimSendWorkRequest(owner, slots, offset(index, entrySize)));
        this.slots = slots;
        this.entrySize = entrySize;
    }

    /** {@return a batch that a queue pair made, as that; refuses any other} */
    static SimSendRequests own(SendRequests requests, SimQueuePair poster) {
        if (!(requests instanceof SimSendRequests batch)) {
            throw foreign(poster);
        }
        batch.checkOwner(poster);
        return batch;
    }

    /** Where all the requests are. */
    Slots slots() {
        return slots;
    }

    /** Where a request would begin in {@link #slots()} with the engine's part, which no batch has. */
    long offset(int index) {
        return offset(index, entrySize);
    }

    private static long offset(int index, int entrySize) {
        return (long) index * entrySize - SendWqe.ENGINE_LENGTH;
    }

    /** Where the first of some requests begins, all of which must be there. */
    long checkedOffset(int first, int count) {
        return offset(Objects.checkFromIndexSize(first, count, capacity()));
    }

    @Override
    SimSendRequests self() {
        return this;
    }

    @Override
    public SendWorkRequest get(int index) {
        return request(index);
    }
}
