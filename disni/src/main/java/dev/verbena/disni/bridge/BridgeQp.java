// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.List;

final class BridgeQp extends IbvQP {
    private final BridgeContext device;
    private final QueuePair queuePair;
    private final List<DeferredClose> used;

    BridgeQp(BridgePd domain, IbvQPInitAttr attributes, QueuePair queuePair) throws IOException {
        super(queuePair.number());
        this.device = domain.device();
        this.queuePair = queuePair;
        context = device;
        pd = domain;
        send_cq = attributes.getSend_cq();
        recv_cq = attributes.getRecv_cq();
        used = List.of(((BridgeCq) send_cq).closing(), ((BridgeCq) recv_cq).closing(), domain.closing());
        qp_type = queuePair.type().code();
        handle = Numbers.next();
    }

    BridgeContext device() {
        return device;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public int getState() {
        return queuePair.state().code();
    }

    void destroy() throws IOException {
        if (!isOpen()) {
            throw Calls.destroyed("rdma_destroy_qp", "queue pair " + qp_num);
        }
        Calls.run(this::release);
    }

    /** Destroys the provider's queue pair. Idempotent. */
    void release() throws VerbsException {
        queuePair.close();
        close();
        for (DeferredClose each : used) {
            each.retry();
        }
    }
}
