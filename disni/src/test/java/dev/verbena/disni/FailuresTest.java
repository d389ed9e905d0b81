// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import program.verbs.Peer;

/** Traps 8 and 9: connections that fail, with the property that reports failures as a disconnect. */
@Timeout(60)
class FailuresTest {
    @BeforeAll
    static void reportsFailures() {
        System.setProperty("verbena.disni.failuresDisconnect", "true");
    }

    @Test
    void anEndpointWithoutAListenerReturnsFromConnectAndIsNotConnected() throws Exception {
        RdmaActiveEndpointGroup<MessageEndpoint> group = MessageEndpoint.group(false);
        MessageEndpoint endpoint = group.createEndpoint();

        endpoint.connect(new InetSocketAddress("192.0.2.1", 1), 1000);

        assertThat(endpoint.isConnected()).isFalse();
        endpoint.close();
        group.close();
    }

    @Test
    void anEndpointWithoutARouteThrows() throws Exception {
        RdmaActiveEndpointGroup<MessageEndpoint> group = MessageEndpoint.group(false);
        MessageEndpoint endpoint = group.createEndpoint();

        assertThatIOException().isThrownBy(() -> endpoint.connect(new InetSocketAddress("203.0.113.9", 1), 50));
    }

    @Test
    void theStatusOfARejectionIsThere() throws Exception {
        Peer client = new Peer();
        client.resolve("192.0.2.1", 2);
        client.connect();
        var event = client.expect(EventType.RDMA_CM_EVENT_REJECTED);
        assertThat(event.getStatus()).isEqualTo(8);
        client.close();
    }
}
