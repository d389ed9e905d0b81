// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.struct.IbvRecvWr;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveWorkRequest;
import java.lang.foreign.MemorySegment;

/** A flyweight over one {@code struct ibv_recv_wr}. */
public final class NativeReceiveRequest implements ReceiveWorkRequest {
    private final RequestBatch batch;
    private final int index;
    private final MemorySegment raw;
    private final SgeList entries;

    NativeReceiveRequest(RequestBatch batch, int index, SgeList entries) {
        this.batch = batch;
        this.index = index;
        raw = batch.first(index);
        this.entries = entries;
        raw.set(ADDRESS, IbvRecvWr.SG_LIST, entries.raw());
    }

    PostRefusal check() {
        return entries.isMemoryClosed() ? PostRefusal.MEMORY_CLOSED : entries.defect();
    }

    boolean mayVanish() {
        return entries.mayVanish();
    }

    @Override
    public ReceiveWorkRequest clear() {
        batch.changed(index);
        entries.clear();
        raw.set(JAVA_LONG, IbvRecvWr.WR_ID, 0);
        raw.set(JAVA_INT, IbvRecvWr.NUM_SGE, 0);
        return this;
    }

    @Override
    public ReceiveWorkRequest id(long workRequestId) {
        raw.set(JAVA_LONG, IbvRecvWr.WR_ID, workRequestId);
        return this;
    }

    @Override
    public ReceiveWorkRequest sge(MemoryRegion region, long offset, long length) {
        batch.changed(index);
        entries.add(region, offset, length);
        raw.set(JAVA_INT, IbvRecvWr.NUM_SGE, entries.count());
        return this;
    }

    @Override
    public ReceiveWorkRequest sge(long address, long length, int lkey) {
        batch.changed(index);
        entries.add(address, length, lkey);
        raw.set(JAVA_INT, IbvRecvWr.NUM_SGE, entries.count());
        return this;
    }

    @Override
    public String toString() {
        return "receive " + raw.get(JAVA_LONG, IbvRecvWr.WR_ID) + " of " + entries.length() + " bytes";
    }
}
