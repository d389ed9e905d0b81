// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import program.verbs.Peer;

/** Listeners on the wildcard address, which belong to no device. */
@Timeout(60)
class WildcardTest {
    @Test
    void aRequestThatAWildcardListenerReceivesHasADevice() throws Exception {
        Peer server = new Peer();
        server.listen("0.0.0.0", 1919);
        assertThat(server.id.getVerbs()).isNull();
        Peer client = new Peer();
        client.resolve("192.0.2.2", 1919);
        client.connect();
        var listener = server.request();

        assertThat(server.id.getVerbs()).isNotNull();
        assertThat(server.id.getSource()).isEqualTo(new InetSocketAddress("192.0.2.2", 1919));
        assertThat(listener.getVerbs()).isNull();
        server.accept();
        client.expect(EventType.RDMA_CM_EVENT_ESTABLISHED);
        client.close();
        server.close();
    }

    /** As with libdisni: the endpoint makes its protection domain at once, on the device of the address. */
    @Test
    void anEndpointNeedsTheAddressOfADevice() throws Exception {
        RdmaActiveEndpointGroup<MessageEndpoint> group = MessageEndpoint.group(false);
        RdmaServerEndpoint<MessageEndpoint> listener = group.createServerEndpoint();

        assertThatIOException()
                .isThrownBy(() -> listener.bind(new InetSocketAddress("0.0.0.0", 1920), 10))
                .withMessageContaining("no context found");
        group.close();
    }
}
