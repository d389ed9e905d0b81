// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import java.util.Objects;

/** A batch of send requests. Each request is stored as a send WQE without the first {@code ENGINE_LENGTH} bytes. */
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

    static SimSendRequests own(SendRequests requests, QueuePair poster) {
        if (!(requests instanceof SimSendRequests batch)) {
            throw foreign(poster);
        }
        batch.checkOwner(poster);
        return batch;
    }

    Slots slots() {
        return slots;
    }

    /**
     * Returns the offset in {@link #slots()} at which the send WQE of a request would begin. {@code slots()} omits the
     * first {@link SendWqe#ENGINE_LENGTH} bytes of each WQE, which only the requester writes.
     */
    long offset(int index) {
        return offset(index, entrySize);
    }

    private static long offset(int index, int entrySize) {
        return (long) index * entrySize - SendWqe.ENGINE_LENGTH;
    }

    /**
     * Returns {@link #offset(int)} of the request at the index {@code first}. Throws {@link IndexOutOfBoundsException} if
     * the batch does not contain {@code count} requests from index {@code first} on.
     */
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
