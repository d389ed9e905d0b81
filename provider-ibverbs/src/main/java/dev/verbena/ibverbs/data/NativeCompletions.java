// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import dev.verbena.ibverbs.struct.IbvWc;
import dev.verbena.spi.AbstractWorkCompletion;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An array of {@code struct ibv_wc}, with a flyweight over each element. The garbage collector frees the array. */
public final class NativeCompletions implements WorkCompletions {
    private final long address;
    private final NativeCompletion[] views;
    private final int capacity;
    private int count;
    private boolean stamped;

    public NativeCompletions(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch of " + capacity + " completions; it needs at least 1");
        }
        this.capacity = capacity;
        MemorySegment raw = Arena.ofAuto().allocate(IbvWc.LAYOUT, capacity);
        address = raw.address();
        views = new NativeCompletion[capacity];
        long size = IbvWc.LAYOUT.byteSize();
        for (int i = 0; i < capacity; i++) {
            views[i] = new NativeCompletion(raw, i * size);
        }
    }

    /** Returns the address of the array. The address stays valid while the batch is reachable. */
    public long address() {
        return address;
    }

    MemorySegment raw(int index) {
        return views[index].raw();
    }

    /** Stores the timestamp of the completion at an index, in ticks of the device's clock. */
    void timestamp(int index, long ticks) {
        stamped = true;
        views[index].timestamp(ticks);
    }

    /**
     * Removes the timestamps that an earlier poll of another completion queue stored. If a completion queue has no
     * timestamps, each poll of this queue calls this method.
     */
    public void unstamped() {
        if (stamped) {
            stamped = false;
            for (NativeCompletion view : views) {
                view.timestamp(0);
            }
        }
    }

    public void filled(int completions) {
        count = completions;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public WorkCompletion get(int index) {
        return views[AbstractWorkCompletion.checkIndex(index, count)];
    }
}
