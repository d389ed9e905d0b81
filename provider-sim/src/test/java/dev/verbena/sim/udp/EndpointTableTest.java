// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class EndpointTableTest {

    private static final Gid COMER = Gid.parse("192.0.2.1");
    private static final Gid OTHER = Gid.parse("192.0.2.7");

    private final EndpointTable table = new EndpointTable(4791);

    private static InetSocketAddress port(int number) {
        return new InetSocketAddress(Gid.parse("127.0.0.1").toAddress(), number);
    }

    @Test
    void aLearnedGidKeepsItsEndpoint() {
        table.learn(COMER);
        assertThat(table.gidOf(port(1001))).isEqualTo(COMER);
        assertThat(table.gidOf(port(1002))).isEqualTo(Gid.parse("127.0.0.1"));
        assertThat(table.find(COMER.high(), COMER.low())).isEqualTo(port(1001));
    }

    @Test
    void aFollowedGidIsAtTheEndpointOfTheLastUnknownSender() {
        table.put(OTHER, port(2000));
        table.follow(COMER);
        for (int sender = 1001; sender < 1004; sender++) {
            assertThat(table.gidOf(port(sender))).isEqualTo(COMER);
            assertThat(table.gidOf(port(2000))).isEqualTo(OTHER);
            assertThat(table.find(COMER.high(), COMER.low())).isEqualTo(port(sender));
        }
        assertThat(table.find(OTHER.high(), OTHER.low())).isEqualTo(port(2000));
    }
}
