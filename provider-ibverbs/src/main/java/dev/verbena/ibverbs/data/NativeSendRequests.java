// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.verbena.ibverbs.library.DataCalls;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.struct.IbvSendWr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import java.lang.foreign.MemorySegment;

public final class NativeSendRequests extends RequestBatch implements SendRequests {
    private final NativeHandle owner;
    private final NativeSendRequest[] views;

    public NativeSendRequests(NativeHandle owner, SendLimits limits, int count) {
        super(count, IbvSendWr.LAYOUT.byteSize(), IbvSendWr.NEXT);
        this.owner = owner;
        views = new NativeSendRequest[count];
        for (int i = 0; i < count; i++) {
            views[i] = new NativeSendRequest(this, i, limits);
        }
    }

    /** Throws {@link IllegalArgumentException} if the batch belongs to another queue pair. */
    public static NativeSendRequests of(SendRequests requests, NativeHandle qp) {
        if (requests instanceof NativeSendRequests own && own.owner == qp) {
            return own;
        }
        throw new IllegalArgumentException(
                "the batch was not made by " + qp + "; use newSendRequests() of the queue pair that it is posted to");
    }

    /**
     * Returns whether a work request in the given range has an opcode that {@code ibv_post_send} lacks. {@link
     * ExtendedSend} must post such work requests.
     */
    public boolean hasExtended(int first, int count) {
        for (int i = first; i < first + count; i++) {
            if (views[i].isExtended()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Posts work requests one at a time. Returns 0, or the errno of the first refused work request. If a work request was
     * refused, {@code bad_wr} ({@link #bad}) contains its address.
     */
    public int postSingly(DataCalls data, ExtendedSend extended, long qp, int first, int count) {
        for (int i = first; i < first + count; i++) {
            int answer = views[i].isExtended() ? views[i].post(extended) : postAlone(data, qp, i);
            if (answer != 0) {
                stoppedAt(i);
                return answer;
            }
        }
        return 0;
    }

    private int postAlone(DataCalls data, long qp, int index) {
        MemorySegment request = first(index);
        MemorySegment next = request.get(ADDRESS, IbvSendWr.NEXT);
        request.set(ADDRESS, IbvSendWr.NEXT, MemorySegment.NULL);
        int answer = data.postSend(qp, address(index), bad());
        request.set(ADDRESS, IbvSendWr.NEXT, next);
        return answer == 0 && isStopped() ? Errno.ENOMEM.number() : answer;
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
