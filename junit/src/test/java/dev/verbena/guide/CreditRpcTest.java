// SPDX-License-Identifier: Apache-2.0
package dev.verbena.guide;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.junit.Link;
import dev.verbena.junit.QpEnd;
import dev.verbena.junit.RcPair;
import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;
import dev.verbena.sim.counters.Counter;
import dev.verbena.verbs.WorkCompletion;

/**
 * Remote calls with credits. The client never has more calls under way than the server has receives posted, so that no message arrives
 * before its receive.
 */
class CreditRpcTest {
    private static final int CREDITS = 8;
    private static final int CALLS = 100;
    private static final long BYTES = 64;

    static void serve(QpEnd server) throws Exception {
        for (int answered = 0; answered < CALLS; ) {
            WorkCompletion done = server.await();
            assertThat(done).isSuccess();
            if (done.isReceive()) {
                long slot = done.workRequestId();
                long length = done.byteLength();
                server.postReceive(slot, slot * BYTES, BYTES); // the credit, before the answer returns it
                server.post(r -> r.send().sge(server.region(), slot * BYTES, length));
                answered++;
            }
        }
    }

    static void call(QpEnd client) throws Exception {
        int credits = CREDITS;
        for (int sent = 0, answered = 0; answered < CALLS; ) {
            if (credits > 0 && sent < CALLS) {
                credits--;
                sent++;
                client.postReceive(0, 0, BYTES);
                client.post(r -> r.send().sge(client.region(), BYTES, BYTES));
            } else {
                WorkCompletion done = client.await();
                assertThat(done).isSuccess();
                if (done.isReceive()) {
                    credits++;
                    answered++;
                }
            }
        }
    }

    @VerbsTest(seed = 3)
    @Link(loss = "2%")
    void noCallMeetsAQueueWithoutReceives(RcPair pair, VerbsNetwork network) throws Exception {
        for (int slot = 0; slot < CREDITS; slot++) {
            pair.server().postReceive(slot, slot * BYTES, BYTES);
        }
        network.actor("server", () -> serve(pair.server()));
        call(pair.client());
        long early = pair.client().node().counter(Counter.RCVD_RNR_ERR);
        if (early != 0) throw new AssertionError(early + " messages came before their receives");
    }
}
