// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import java.util.Objects;

/** A batch of send requests, each in the layout of the poster's part of a send WQE. */
final class SimSendRequests extends SimRequests<SimSendRequests, SimSendWorkRequest> implements SendRequests {
    private final Slots slots;
    private final int entrySize;

    SimSendRequests(QueuePair owner, SendRules rules, int count) {
        this(owner, rules, count, Slots.of(Math.max(0, count), rules.entrySize()));
    }

    private SimSendRequests(QueuePair owner, SendRules rules, int count, Slots slots) {
        super(owner, count, index -> new SimSendWorkRequest(rules, slots, offset(index, rules.entrySize())));
        this.slots = slots;
        entrySize = rules.entrySize();
    }

    /** {@return the batch as one of this class} Fails if the queue pair did not make it. */
    static SimSendRequests own(SendRequests requests, QueuePair poster) {
        if (!(requests instanceof SimSendRequests batch)) {
            throw foreign(poster);
        }
        batch.checkOwner(poster);
        return batch;
    }

    /** The memory of all requests. */
    Slots slots() {
        return slots;
    }

    /** Returns the offset in {@link #slots()} at which a request would begin if it had the engine's part of a WQE. */
    long offset(int index) {
        return offset(index, entrySize);
    }

    private static long offset(int index, int entrySize) {
        return (long) index * entrySize - SendWqe.ENGINE_LENGTH;
    }

    /** Returns the offset of the first request of a range. Fails unless the whole range is in the batch. */
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
