// SPDX-License-Identifier: Apache-2.0
package example;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.junit.Fabric;
import dev.verbena.junit.Link;
import dev.verbena.junit.RcPair;
import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;

/** Tests of a program that may run on any provider. {@code OtherProviderTest} runs them. */
public class Portable {
    @VerbsTest
    void sends(RcPair pair) throws Exception {
        pair.server().postReceive(1, 0, 64);
        pair.client().post(r -> r.send().sge(pair.client().region(), 0, 8));
        assertThat(pair.client().await()).isSuccess();
        assertThat(pair.server().await()).isSuccess().hasByteLength(8);
    }

    @VerbsTest
    void fails(RcPair pair) throws Exception {
        pair.server().postReceive(1, 0, 64);
        pair.server().postReceive(2, 64, 64);
        pair.client().post(r -> r.send().sge(pair.client().region(), 0, 8));
        assertThat(pair.server().await()).hasByteLength(9);
    }

    @VerbsTest
    @Link(loss = "5%")
    void asksForLoss(RcPair pair) {}

    @VerbsTest
    @Fabric(Fabric.Kind.UDP)
    void asksForUdp(RcPair pair) {}

    @VerbsTest
    void asksForAnActor(VerbsNetwork network) {
        network.actor("server", () -> {});
    }
}
