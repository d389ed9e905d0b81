// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.cm.CmListener;
import java.time.Duration;

/** The pairs that are no {@link RcPair}. */
class PairsTest {
    @VerbsTest
    void anUnreliableConnectionCarriesAWrite(UcPair pair, VerbsNetwork network) throws Exception {
        QpEnd client = pair.client(), server = pair.server();
        client.post(r -> r.rdmaWrite(server.region().address(), server.region().rkey())
                .sge(client.region(), 0, client.write(0, "unreliable")));
        assertThat(client.await()).isSuccess(); // before the packet arrives: the server acknowledges nothing
        network.sleep(Duration.ofMillis(1));
        assertThat(server.memory()).hasText(0, "unreliable");
    }

    @VerbsTest
    void datagramsGoBothWays(UdPair pair) throws Exception {
        QpEnd client = pair.client(), server = pair.server();
        server.postReceive(1, 0, 128);
        client.post(r -> pair.toServer(r.send()).sge(client.region(), 0, client.write(0, "ping")));
        assertThat(client.await()).isSuccess();
        assertThat(server.await()).isSuccess().hasId(1).hasByteLength(UdPair.GRH_BYTES + 4);
        assertThat(server.memory()).hasText(UdPair.GRH_BYTES, "ping");
        client.postReceive(2, 0, 128);
        server.post(r -> pair.toClient(r.send()).sge(server.region(), UdPair.GRH_BYTES, 4));
        assertThat(server.await()).isSuccess();
        assertThat(client.await()).isSuccess().hasId(2);
    }

    @VerbsTest
    void sharedReceivesServeBothClients(SrqPair one, SrqPair other) throws Exception {
        one.server().postReceive(1, 0, 64);
        one.server().postReceive(2, 64, 64);
        other.client()
                .post(r ->
                        r.send().sge(other.client().region(), 0, other.client().write(0, "first")));
        assertThat(other.server().await()).isSuccess().hasId(1);
        one.client()
                .post(r -> r.send().sge(one.client().region(), 0, one.client().write(0, "second")));
        assertThat(one.server().await()).isSuccess().hasId(2);
        assertThat(one.server().memory()).hasText(0, "first").hasText(64, "second");
    }

    @VerbsTest
    void aServerEchoesOverRdmaCm(Node client, Node server, VerbsNetwork network) throws Exception {
        CmListener listener = server.listen(7471);
        network.actor("server", () -> {
            QpEnd end = server.accept(listener, 64);
            long length = end.await().byteLength();
            end.post(r -> r.send().sge(end.region(), 0, length));
        });
        QpEnd end = client.connect(listener.address(), 64);
        end.post(r -> r.send().sge(end.region(), 64, end.write(64, "echo")));
        assertThat(end.await()).isSuccess();
        assertThat(end.await()).isSuccess().hasByteLength(4);
        assertThat(end.memory()).hasText(0, "echo");
    }
}
