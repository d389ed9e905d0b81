// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;

/** Two connected queue pairs and their memory regions, independent of the fabric between them. */
interface Ends extends AutoCloseable {
    Link.End left();

    Link.End right();

    /** Returns a batch of RDMA WRITEs from {@link #left} to {@link #right}. Only the last RDMA WRITE is signaled. */
    default SendRequests writes(QueuePair near, int bytes, int count) {
        SendRequests requests = near.newSendRequests(count);
        for (int i = 0; i < count; i++) {
            SendWorkRequest request = requests.get(i)
                    .rdmaWrite(right().region.address(), right().region.rkey());
            if (i == count - 1) {
                request.signaled();
            }
            request.sge(left().region, 0, bytes);
        }
        return requests;
    }

    @Override
    void close();
}
