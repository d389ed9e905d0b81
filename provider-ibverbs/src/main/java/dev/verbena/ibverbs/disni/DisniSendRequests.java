// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import java.io.IOException;

/** Send requests. DiSNI's own objects for the requests are created only when the requests are posted. */
final class DisniSendRequests extends DisniBatch implements SendRequests {
    private final DisniQp owner;
    private final DisniSendRequest[] requests;

    DisniSendRequests(DisniQp owner, int count) {
        super(count);
        this.owner = owner;
        requests = new DisniSendRequest[count];
        for (int i = 0; i < count; i++) {
            requests[i] = new DisniSendRequest(owner);
        }
    }

    static DisniSendRequests of(SendRequests requests, DisniQp qp) {
        if (requests instanceof DisniSendRequests own && own.owner == qp) {
            return own;
        }
        throw new IllegalArgumentException(
                "the batch was not made by " + qp + "; use newSendRequests() of the queue pair that it is posted to");
    }

    @Override
    public SendWorkRequest get(int index) {
        return requests[index];
    }

    @Override
    PostRefusal post(int index) throws IOException {
        return requests[index].post();
    }
}
