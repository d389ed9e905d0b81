// SPDX-License-Identifier: Apache-2.0
package example;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.junit.Fabric;
import dev.verbena.junit.Link;
import dev.verbena.junit.Node;
import dev.verbena.junit.Nodes;
import dev.verbena.junit.RcPair;
import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Tests that must fail, in a package of a user. {@code VerbsExtensionTest} runs them. */
public class Failing {
    @VerbsTest
    void leaks(Node client) throws Exception {
        client.device().allocatePd();
    }

    @VerbsTest(seed = 7)
    void waitsForAMissingCompletion(RcPair pair) throws Exception {
        pair.client().await();
    }

    @VerbsTest
    @Link(loss = "100%")
    void loses(RcPair pair) throws Exception {
        pair.client().post(r -> r.send().sge(pair.client().region(), 0, 8));
        assertThat(pair.client().await()).isSuccess();
    }

    @VerbsTest
    void deadlock(RcPair pair, VerbsNetwork network) throws Exception {
        network.actor("server", () -> network.await(() -> false, Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @VerbsTest
    void blocks(VerbsNetwork network) throws Exception {
        network.actor("server", () -> new CountDownLatch(1).await());
    }

    @VerbsTest
    void assertsInAnActor(VerbsNetwork network) {
        network.actor("server", () -> {
            throw new AssertionError("wrong answer");
        });
    }

    @VerbsTest
    @Nodes({"a", "b"})
    void asksForAnotherNode(Node client) {}

    @VerbsTest
    @Nodes("alone")
    void asksForAPair(RcPair pair) {}

    @VerbsTest
    @Fabric(Fabric.Kind.UDP)
    void expectsMoreOverUdp(RcPair pair) throws Exception {
        expectsMore(pair);
    }

    @VerbsTest(seed = 7)
    void expectsMore(RcPair pair) throws Exception {
        pair.server().postReceive(1, 0, 64);
        pair.server().postReceive(2, 64, 64);
        pair.client().post(r -> r.send().sge(pair.client().region(), 0, 8));
        assertThat(pair.client().await()).isSuccess();
        assertThat(pair.server().await()).isSuccess().hasByteLength(9);
    }
}
