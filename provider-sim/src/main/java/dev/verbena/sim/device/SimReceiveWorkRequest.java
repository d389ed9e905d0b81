// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveWorkRequest;
import java.util.Objects;

/** A receive request in the layout of a receive WQE. */
final class SimReceiveWorkRequest implements ReceiveWorkRequest {
    private static final long MAX_ENTRY = 0xFFFFFFFFL;

    private final Device device;
    private final int maxEntries;
    private final ReceiveWqe wqe = new ReceiveWqe();
    private PostRefusal defect = PostRefusal.NONE;
    private long length;

    SimReceiveWorkRequest(Device device, int maxEntries, Slots slots, long offset) {
        this.device = device;
        this.maxEntries = maxEntries;
        wqe.wrap(slots, offset);
    }

    /**
     * Returns the reason why this receive request cannot be posted, or NONE. If the receive request can be posted, it
     * is marked as checked until a setter changes it.
     */
    PostRefusal check(long maxMessageSize) {
        if (defect != PostRefusal.NONE) {
            return defect;
        }
        if (length > maxMessageSize) {
            return PostRefusal.MESSAGE_TOO_LONG;
        }
        wqe.checked(true);
        return PostRefusal.NONE;
    }

    @Override
    public ReceiveWorkRequest clear() {
        wqe.checked(false);
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
        SimRegion.memoryOf(region, device);
        Objects.checkFromIndexSize(from, bytes, region.length());
        return sge(region.address() + from, bytes, region.lkey());
    }

    @Override
    public ReceiveWorkRequest sge(long address, long bytes, int lkey) {
        wqe.checked(false);
        if (wqe.scatter().count() == maxEntries) {
            defect = PostRefusal.TOO_MANY_SGES;
        } else if (Long.compareUnsigned(bytes, MAX_ENTRY) > 0) {
            defect = PostRefusal.MESSAGE_TOO_LONG;
        } else {
            length += bytes;
            wqe.scatter().add(address, (int) bytes, lkey);
        }
        return this;
    }

    @Override
    public String toString() {
        return wqe.toString();
    }
}
