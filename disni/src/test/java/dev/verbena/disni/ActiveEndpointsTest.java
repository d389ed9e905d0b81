// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvWC;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DiSNI's active endpoint groups over the default software devices. */
@Timeout(60)
class ActiveEndpointsTest {
    private static final InetSocketAddress SERVER = new InetSocketAddress("192.0.2.1", 1919);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messagesGoBothWays(boolean polling) throws Exception {
        var servers = MessageEndpoint.group(polling);
        var clients = MessageEndpoint.group(polling);
        RdmaServerEndpoint<MessageEndpoint> listener = servers.createServerEndpoint();
        listener.bind(SERVER, 10);
        MessageEndpoint client = clients.createEndpoint();
        Thread connecting = Thread.ofVirtual().start(() -> connect(client));
        MessageEndpoint server = listener.accept();
        connecting.join();
        assertThat(client.isConnected()).isTrue();

        client.send(4444, "from the client");
        IbvWC receive = server.next();
        assertThat(receive.getStatus()).isZero();
        assertThat(receive.getOpcode()).isEqualTo(128);
        assertThat(receive.getWr_id()).isEqualTo(2001);
        assertThat(server.text(receive.getByte_len())).isEqualTo("from the client");
        assertThat(client.next().getWr_id()).isEqualTo(4444);
        server.send(5555, "from the server");
        assertThat(client.text(client.next().getByte_len())).isEqualTo("from the server");
        assertThat(server.next().getWr_id()).isEqualTo(5555);

        client.close();
        server.close();
        listener.close();
        clients.close();
        servers.close();
    }

    /** Trap 14: DiSNI's examples throw after ten flushed receives. DiSNI skips the other completions of the same poll. */
    @Test
    void aDispatchThatThrowsEndsNoThread() throws Exception {
        RdmaActiveEndpointGroup<MessageEndpoint> servers = new RdmaActiveEndpointGroup<>(100, false, 16, 4, 128);
        servers.init((id, serverSide) -> new MessageEndpoint(servers, id, serverSide) {
            @Override
            public void dispatchCqEvent(IbvWC completion) {
                super.dispatchCqEvent(completion);
                throw new IllegalStateException("queue full");
            }
        });
        var clients = MessageEndpoint.group(false);
        RdmaServerEndpoint<MessageEndpoint> listener = servers.createServerEndpoint();
        listener.bind(SERVER, 10);
        MessageEndpoint client = clients.createEndpoint();
        Thread connecting = Thread.ofVirtual().start(() -> connect(client));
        MessageEndpoint server = listener.accept();
        connecting.join();
        server.receive(2002);

        client.send(1, "message");
        assertThat(server.next().getStatus()).isZero();
        client.close();
        IbvWC flushed = server.next();
        assertThat(flushed.getStatus()).isEqualTo(5);
        assertThat(flushed.getQp_num()).isEqualTo(server.getQp().getQp_num());
        server.close();
        listener.close();
        clients.close();
        servers.close();
    }

    private static void connect(MessageEndpoint client) {
        try {
            client.connect(SERVER, 1000);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
