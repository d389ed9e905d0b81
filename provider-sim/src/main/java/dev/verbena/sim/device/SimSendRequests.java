package dev.verbena.sim.device;

import dev.verbena.sim.queue.SendWqe;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A batch of send requests, each in the layout of the queue's own entries. */
final class SimSendRequests implements SendRequests {
    private final SimQueuePair owner;
    private final SimSendWorkRequest[] requests;
    private PostRefusal refusal = PostRefusal.NONE;
    private int refusedIndex = -1;

    SimSendRequests(SimQueuePair owner, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("a batch holds at least 1 request, not " + count);
        }
        this.owner = owner;
        int entrySize = SendWqe.HEADER_LENGTH + owner.sendArea();
        MemorySegment slots = MemorySegment.ofArray(new long[Math.multiplyExact(count, entrySize / Long.BYTES)]);
        requests = new SimSendWorkRequest[count];
        for (int i = 0; i < count; i++) {
            requests[i] = new SimSendWorkRequest(owner, slots, (long) i * entrySize);
        }
    }

    boolean isOf(SimQueuePair queuePair) {
        return owner == queuePair;
    }

    SimSendWorkRequest request(int index) {
        return requests[index];
    }

    /** Remembers how the last post ended. */
    void refused(int index, PostRefusal why) {
        refusedIndex = index;
        refusal = why;
    }

    @Override
    public int capacity() {
        return requests.length;
    }

    @Override
    public PostRefusal refusal() {
        return refusal;
    }

    @Override
    public int refusedIndex() {
        return refusedIndex;
    }

    @Override
    public SendWorkRequest get(int index) {
        return requests[Objects.checkIndex(index, requests.length)];
    }
}
