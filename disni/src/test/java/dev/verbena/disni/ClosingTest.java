// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import program.verbs.Pair;
import program.verbs.Peer;

/** The orders in which programs close endpoints, groups and objects, besides that of DiSNI's endpoint groups. */
@Timeout(60)
class ClosingTest {
    private static final InetSocketAddress SERVER = new InetSocketAddress("192.0.2.1", 1919);

    private RdmaActiveEndpointGroup<MessageEndpoint> servers;
    private RdmaActiveEndpointGroup<MessageEndpoint> clients;
    private RdmaServerEndpoint<MessageEndpoint> listener;
    private MessageEndpoint client;
    private MessageEndpoint server;

    private void connectEndpoints() throws Exception {
        servers = MessageEndpoint.group(false);
        clients = MessageEndpoint.group(false);
        listener = servers.createServerEndpoint();
        listener.bind(SERVER, 10);
        client = clients.createEndpoint();
        Thread connecting = Thread.ofVirtual().start(() -> {
            try {
                client.connect(SERVER, 1000);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        server = listener.accept();
        connecting.join();
    }

    /** Trap 7: an endpoint waits a second for its own DISCONNECTED, which comes once the peer has disconnected, too. */
    @Test
    void anEndpointClosesWithoutWaitingForASecond() throws Exception {
        connectEndpoints();
        Instant begin = Instant.now();
        client.close();

        assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofMillis(900));
        server.close();
        listener.close();
        clients.close();
        servers.close();
    }

    @Test
    void theListenerAndTheGroupsCloseBeforeTheirEndpoints() throws Exception {
        connectEndpoints();
        listener.close();
        servers.close();
        clients.close();
        server.close();
        client.close();

        assertThat(client.isClosed()).isTrue();
        server.release();
        client.release();
    }

    /** Trap 6. */
    @Test
    void destroyingAnEventChannelClosesItsIds() throws Exception {
        Pair pair = new Pair("192.0.2.1", 1920);
        RdmaCmId id = pair.client.id;
        pair.client.channel.destroyEventChannel();

        assertThat(pair.client.qp.isOpen()).isFalse();
        assertThat(id.destroyId()).isZero();
        assertThatIOException().isThrownBy(id::destroyId).withMessageContaining("destroyed");
        assertThatIOException().isThrownBy(pair.client.channel::destroyEventChannel);
        assertThatIOException().isThrownBy(() -> pair.client.channel.getCmEvent(0));
        pair.server.channel.destroyEventChannel();
    }

    /** Trap 6. */
    @Test
    void destroyingAnIdClosesItsQueuePair() throws Exception {
        Pair pair = new Pair("192.0.2.1", 1921);
        pair.client.id.destroyId();

        assertThat(pair.client.qp.isOpen()).isFalse();
        pair.client.cq.destroyCQ();
        assertThat(pair.client.completions.destroyCompChannel()).isZero();
        assertThatIOException().isThrownBy(pair.client.completions::destroyCompChannel);
        assertThatIOException().isThrownBy(pair.client.cq::destroyCQ);
        pair.client.channel.destroyEventChannel();
        pair.server.channel.destroyEventChannel();
    }

    /** Trap 6: the provider refuses to close an object that is in use, and DiSNI programs ignore that. */
    @Test
    void objectsThatAreInUseCloseAfterTheirUsers() throws Exception {
        Pair pair = new Pair("192.0.2.1", 1922);
        Peer peer = pair.client;
        assertThat(peer.pd.deallocPd()).isZero();
        assertThat(peer.cq.destroyCQ()).isZero();
        assertThat(peer.completions.destroyCompChannel()).isZero();
        assertThatIOException().isThrownBy(peer.pd::deallocPd).withMessageContaining("destroyed");
        peer.cq.poll(new IbvWC[] {new IbvWC()}, 1).execute();
        peer.id.destroyQP();
        assertThatIOException()
                .isThrownBy(() -> peer.cq.poll(new IbvWC[] {new IbvWC()}, 1).execute());
        peer.mr.deregMr().execute().free();
        peer.id.destroyId();
        peer.channel.destroyEventChannel();
        pair.server.channel.destroyEventChannel();
    }
}
