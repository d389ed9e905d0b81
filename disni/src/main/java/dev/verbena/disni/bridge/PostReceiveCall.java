// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.List;

/**
 * A stateful verb call of DiSNI for {@code ibv_post_recv}. The constructor copies the receive requests; {@link #execute}
 * can post them many times. Only one thread at a time may call {@code execute}.
 */
final class PostReceiveCall extends SVCPostRecv {
    private final BridgeQp queuePair;
    private final long[] ids;
    private final ReceiveRequests requests;
    private volatile boolean valid = true;

    PostReceiveCall(BridgeQp queuePair, List<IbvRecvWR> list) throws IOException {
        this.queuePair = queuePair;
        ids = list.stream().mapToLong(IbvRecvWR::getWr_id).toArray();
        requests = Calls.get(() -> queuePair.queuePair().newReceiveRequests(Math.max(1, ids.length)));
        int index = 0;
        for (IbvRecvWR each : list) {
            record(each, requests.get(index++));
        }
    }

    /** Copies a DiSNI receive request, whose scatter-gather list may be null instead of empty. */
    private void record(IbvRecvWR from, ReceiveWorkRequest to) {
        to.clear().id(from.getWr_id());
        List<IbvSge> entries = from.getSg_list();
        if (entries != null) {
            for (IbvSge entry : entries) {
                to.sge(
                        entry.getAddr(),
                        Integer.toUnsignedLong(entry.getLength()),
                        queuePair.device().lkeyOf(entry.getLkey()));
            }
        }
    }

    @Override
    public SVCPostRecv execute() throws IOException {
        if (!valid) {
            throw Calls.freed("ibv_post_recv");
        }
        try {
            queuePair.queuePair().postAll(requests, ids.length);
        } catch (VerbsException | IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
        return this;
    }

    @Override
    public RecvWRMod getWrMod(int index) throws IOException {
        if (!valid) {
            throw Calls.freed("ibv_post_recv");
        }
        long id = ids[index];
        return () -> id;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPostRecv free() {
        valid = false;
        return this;
    }
}
