package dev.verbena.ibverbs;

import dev.verbena.ibverbs.struct.IbvSendWr;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;

/** Send requests in their native form. */
final class NativeSendRequests extends RequestBatch implements SendRequests {
    private final NativeQp owner;
    private final NativeSendRequest[] views;

    NativeSendRequests(NativeQp owner, int count) {
        super(count, IbvSendWr.LAYOUT.byteSize(), IbvSendWr.NEXT);
        this.owner = owner;
        views = new NativeSendRequest[count];
        for (int i = 0; i < count; i++) {
            views[i] = new NativeSendRequest(this, i, owner);
        }
    }

    /** A batch must have been made by the queue pair that it is posted to. */
    static NativeSendRequests of(SendRequests requests, NativeQp qp) {
        if (requests instanceof NativeSendRequests own && own.owner == qp) {
            return own;
        }
        throw new IllegalArgumentException(
                "the batch was not made by " + qp + "; use newSendRequests() of the queue pair that it is posted to");
    }

    @Override
    public SendWorkRequest get(int index) {
        return views[index];
    }

    @Override
    boolean holds(int index) {
        return views[index].holds();
    }

    @Override
    PostRefusal hold(int index) {
        return views[index].hold();
    }

    @Override
    void release(int index, boolean taken) {
        views[index].release(taken);
    }
}
