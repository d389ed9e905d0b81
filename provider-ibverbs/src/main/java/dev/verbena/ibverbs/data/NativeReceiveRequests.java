// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.struct.IbvRecvWr;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;

public final class NativeReceiveRequests extends RequestBatch implements ReceiveRequests {
    private final NativeHandle owner;
    private final NativeReceiveRequest[] views;

    public NativeReceiveRequests(Device device, NativeHandle owner, int count, int maxSge) {
        super(count, IbvRecvWr.LAYOUT.byteSize(), IbvRecvWr.NEXT);
        this.owner = owner;
        views = new NativeReceiveRequest[count];
        for (int i = 0; i < count; i++) {
            views[i] = new NativeReceiveRequest(this, i, new SgeList(device, maxSge));
        }
    }

    /** Throws {@link IllegalArgumentException} if the batch belongs to another queue. */
    public static NativeReceiveRequests of(ReceiveRequests requests, NativeHandle queue) {
        if (requests instanceof NativeReceiveRequests own && own.owner == queue) {
            return own;
        }
        throw new IllegalArgumentException(
                "the batch was not made by " + queue + "; use newReceiveRequests() of the queue that it is posted to");
    }

    @Override
    public ReceiveWorkRequest get(int index) {
        return views[index];
    }

    @Override
    boolean holds(int index) {
        return views[index].mayVanish();
    }

    @Override
    PostRefusal hold(int index) {
        return views[index].check();
    }

    @Override
    void release(int index, boolean taken) {
        // Nothing to release: a receive request contains only memory addresses and L_Keys, no pointers to verbs
        // objects.
    }
}
