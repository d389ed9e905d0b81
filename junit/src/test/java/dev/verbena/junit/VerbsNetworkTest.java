// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.fault.Probability;
import dev.verbena.sim.capture.TraceHash;
import dev.verbena.verbs.VerbsException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class VerbsNetworkTest {
    /** Actors, polls and losses: all of it is drawn from the seed. */
    @Property(tries = 20)
    void theSameSeedGivesTheSamePackets(@ForAll long seed) throws Exception {
        assertThat(hash(seed)).isEqualTo(hash(seed));
    }

    private static String hash(long seed) throws Exception {
        TraceHash hash = new TraceHash();
        try (VerbsNetwork network = VerbsNetwork.builder()
                .seed(seed)
                .loss(new Probability(0.1))
                .tap(hash)
                .build()) {
            for (int i = 0; i < 3; i++) {
                RcPair pair = network.connectRc(network.node("client"), network.node("server"));
                pair.server().postReceive(1, 0, 64);
                network.actor("client " + i, () -> {
                    pair.client().post(r -> r.send().sge(pair.client().region(), 0, 8));
                    pair.client().await();
                });
                network.actor("server " + i, () -> pair.server().await());
            }
            network.joinActors();
        }
        return hash.hex();
    }

    @Test
    void theErrorNamesAnUnknownNode() throws Exception {
        try (VerbsNetwork network = VerbsNetwork.builder().nodes("a").build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> network.node("b"))
                    .withMessageContaining("[a]");
        }
    }

    @Test
    void twoNodesOfOneNameAreRefused() {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> VerbsNetwork.builder().nodes("a", "a").build())
                .withMessageContaining("[a, a]");
    }
}
