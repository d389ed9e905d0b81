// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvRecvWR;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;
import java.io.IOException;

/** Receive requests. DiSNI's {@link IbvRecvWR} for a receive request is created only when the request is posted. */
final class DisniReceiveRequests extends DisniBatch implements ReceiveRequests {
    private final DisniQp owner;
    private final Request[] requests;

    DisniReceiveRequests(DisniQp owner, int count) {
        super(count);
        this.owner = owner;
        requests = new Request[count];
        for (int i = 0; i < count; i++) {
            requests[i] =
                    new Request(new SgeList(owner.opened(), owner.capabilities().maxReceiveSge()));
        }
    }

    static DisniReceiveRequests of(ReceiveRequests requests, DisniQp qp) {
        if (requests instanceof DisniReceiveRequests own && own.owner == qp) {
            return own;
        }
        throw new IllegalArgumentException(
                "the batch was not made by " + qp + "; use newReceiveRequests() of the queue that it is posted to");
    }

    @Override
    public ReceiveWorkRequest get(int index) {
        return requests[index];
    }

    @Override
    PostRefusal post(int index) throws IOException {
        Request request = requests[index];
        PostRefusal defect = request.entries.defect();
        return defect != PostRefusal.NONE ? defect : owner.receive(request.id, request.toDisni());
    }

    private static final class Request implements ReceiveWorkRequest {
        private final SgeList entries;
        private long id;

        Request(SgeList entries) {
            this.entries = entries;
        }

        IbvRecvWR toDisni() {
            IbvRecvWR raw = new IbvRecvWR();
            raw.setSg_list(entries.toDisni());
            raw.setNum_sge(entries.count());
            return raw;
        }

        @Override
        public ReceiveWorkRequest clear() {
            entries.clear();
            id = 0;
            return this;
        }

        @Override
        public ReceiveWorkRequest id(long workRequestId) {
            id = workRequestId;
            return this;
        }

        @Override
        public ReceiveWorkRequest sge(MemoryRegion region, long offset, long length) {
            entries.add(region, offset, length);
            return this;
        }

        @Override
        public ReceiveWorkRequest sge(long address, long length, int lkey) {
            entries.add(address, length, lkey);
            return this;
        }

        @Override
        public String toString() {
            return "receive " + id + " of " + entries.length() + " bytes";
        }
    }
}
