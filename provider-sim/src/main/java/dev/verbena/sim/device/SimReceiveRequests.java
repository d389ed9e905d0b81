package dev.verbena.sim.device;

import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A batch of receive requests, each in the layout of the queue's own entries. */
final class SimReceiveRequests implements ReceiveRequests {
    private final SimQueuePair owner;
    private final Request[] requests;
    private PostRefusal refusal = PostRefusal.NONE;
    private int refusedIndex = -1;

    SimReceiveRequests(SimQueuePair owner, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("a batch holds at least 1 request, not " + count);
        }
        this.owner = owner;
        int entries = owner.capabilities().maxReceiveSge();
        int entrySize = ReceiveWqe.HEADER_LENGTH + entries * ScatterList.ENTRY_LENGTH;
        MemorySegment slots = MemorySegment.ofArray(new long[Math.multiplyExact(count, entrySize / Long.BYTES)]);
        requests = new Request[count];
        for (int i = 0; i < count; i++) {
            requests[i] = new Request(slots, (long) i * entrySize, entries);
        }
    }

    boolean isOf(SimQueuePair queuePair) {
        return owner == queuePair;
    }

    Request request(int index) {
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
    public ReceiveWorkRequest get(int index) {
        return requests[Objects.checkIndex(index, requests.length)];
    }

    /** One request. */
    final class Request implements ReceiveWorkRequest {
        private final MemorySegment slots;
        private final long offset;
        private final int maxEntries;
        private final ReceiveWqe wqe = new ReceiveWqe();
        private PostRefusal defect = PostRefusal.NONE;
        private long length;

        Request(MemorySegment slots, long offset, int maxEntries) {
            this.slots = slots;
            this.offset = offset;
            this.maxEntries = maxEntries;
            wqe.wrap(slots, offset);
        }

        PostRefusal check() {
            return defect == PostRefusal.NONE && length > owner.maxMessageSize()
                    ? PostRefusal.MESSAGE_TOO_LONG
                    : defect;
        }

        void copyTo(WorkQueue queue) {
            long bytes = ReceiveWqe.HEADER_LENGTH + (long) wqe.scatter().count() * ScatterList.ENTRY_LENGTH;
            queue.fill(slots, offset, bytes);
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
            owner.memoryOf(region);
            Objects.checkFromIndexSize(from, bytes, region.length());
            if (wqe.scatter().count() == maxEntries) {
                defect = PostRefusal.TOO_MANY_SGES;
            } else {
                length += bytes;
                wqe.scatter().add(region.address() + from, (int) Math.min(bytes, Integer.MAX_VALUE), region.lkey());
            }
            return this;
        }

        @Override
        public String toString() {
            return wqe.toString();
        }
    }
}
