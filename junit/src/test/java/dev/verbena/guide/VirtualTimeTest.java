// SPDX-License-Identifier: Apache-2.0
package dev.verbena.guide;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.junit.QpEnd;
import dev.verbena.junit.RcPair;
import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;
import dev.verbena.verbs.WorkCompletions;
import java.time.Duration;

/** The tests of docs/guide/virtual-time.md. */
class VirtualTimeTest {
    @VerbsTest
    void anHourTakesNoTime(VerbsNetwork network) throws Exception {
        network.sleep(Duration.ofHours(1));
        if (network.time().compareTo(Duration.ofHours(1)) < 0) throw new AssertionError(network.time());
    }

    @VerbsTest(seed = 1)
    void aServerThatBlocksIsAnActor(RcPair pair, VerbsNetwork network) throws Exception {
        QpEnd server = pair.server();
        QpEnd client = pair.client();
        server.postReceive(1, 0, 64);
        network.actor("server", () -> {
            assertThat(server.await()).isSuccess(); // waits in virtual time
            server.post(r -> r.send().sge(server.region(), 0, 64));
        });
        client.postReceive(2, 64, 64);
        client.post(r -> r.send().sge(client.region(), 0, 64));
        assertThat(client.await()).isSuccess();
        assertThat(client.await()).isSuccess();
    }

    @VerbsTest
    void aProgramThatPollsEnds(RcPair pair, VerbsNetwork network) throws Exception {
        QpEnd server = pair.server();
        server.postReceive(1, 0, 64);
        network.actor("poller", () -> {
            WorkCompletions one = server.cq().newCompletions(1);
            while (server.cq().poll(one) == 0) {} // each empty poll costs one microsecond
            assertThat(one.get(0)).isSuccess();
        });
        pair.client().post(r -> r.send().sge(pair.client().region(), 0, 64));
        assertThat(pair.client().await()).isSuccess();
    }
}
