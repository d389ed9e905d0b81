// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ReceiveWorkRequest;

/** A receive request whose scatter/gather entries refer to memory regions of a {@code FaultyProvider}. */
final class FaultyReceive implements ReceiveWorkRequest {
    private final ReceiveWorkRequest real;

    FaultyReceive(ReceiveWorkRequest real) {
        this.real = real;
    }

    @Override
    public ReceiveWorkRequest clear() {
        real.clear();
        return this;
    }

    @Override
    public ReceiveWorkRequest id(long workRequestId) {
        real.id(workRequestId);
        return this;
    }

    @Override
    public ReceiveWorkRequest sge(MemoryRegion region, long offset, long length) {
        real.sge(FaultyObjects.real(MemoryRegion.class, region), offset, length);
        return this;
    }

    @Override
    public ReceiveWorkRequest sge(long address, long length, int lkey) {
        real.sge(address, length, lkey);
        return this;
    }
}
