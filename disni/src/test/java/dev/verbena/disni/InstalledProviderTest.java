// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaConnParam;
import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.disni.bridge.VerbenaDisni;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.VerbsProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import program.verbs.Client;
import program.verbs.Pair;
import program.verbs.Peer;
import program.verbs.Server;

/** DiSNI over a provider that a test installs: devices whose lkey and rkey differ, with addresses of both IP versions. */
@Timeout(60)
class InstalledProviderTest {
    private static final String IPV6 = "2001:db8::1";

    private static VerbsProvider provider;

    @BeforeAll
    static void install() throws Exception {
        ThreadRuntime runtime = new ThreadRuntime(1);
        provider = TwoKeys.over(new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(
                        SimDeviceSpec.of("sim0", "192.0.2.1"),
                        SimDeviceSpec.of("sim1", "192.0.2.2"),
                        SimDeviceSpec.of("six0", IPV6),
                        SimDeviceSpec.of("six1", "2001:db8::2"))));
        VerbenaDisni.install(provider);
    }

    /** Trap 3: receives, sends, READ and WRITE, each with the one key that the program knows. */
    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", IPV6})
    void programsUseOneKeyOfDevicesWithTwo(String host) throws Exception {
        Programs.run(
                () -> Server.main(new String[] {host, "1919"}),
                () -> Client.main(new String[] {host, "1919", "usual"}));
    }

    @Test
    void theKeyOfARegionDoesNotOutliveIt() throws Exception {
        Pair pair = new Pair("192.0.2.1", 1920);
        IbvMr region = pair.client
                .pd
                .regMr(ByteBuffer.allocateDirect(64), 7)
                .execute()
                .free()
                .getMr();
        IbvSendWR send = pair.client.send(IbvSendWR.IBV_WR_SEND, 1, IbvSendWR.IBV_SEND_SIGNALED, 0, 8);
        send.getSge(0).setAddr(region.getAddr());
        send.getSge(0).setLkey(region.getLkey());
        region.deregMr().execute().free();
        pair.client.record(send).execute();

        assertThat(pair.client.await(1).getFirst().getStatus()).isEqualTo(4);
        pair.close();
    }

    @Test
    void idsHaveAddressesOfIpv6() throws Exception {
        Pair pair = new Pair(IPV6, 1921);

        assertThat(pair.client.id.getDestination()).isEqualTo(new InetSocketAddress(InetAddress.getByName(IPV6), 1921));
        assertThat(pair.server.id.getDestination()).isEqualTo(pair.client.id.getSource());
        pair.close();
    }

    /** Trap 10: an address and an unsigned length in bytes, which the call reads before it returns. */
    @Test
    void aConnectionRequestCarriesPrivateData() throws Exception {
        ConnectionManager manager = provider.extension(ConnectionManager.class).orElseThrow();
        try (EventChannel channel = manager.createEventChannel();
                var listener = manager.createId(channel, PortSpace.TCP, null)) {
            listener.bind(new InetSocketAddress("192.0.2.1", 1922));
            listener.listen(1);
            Peer client = new Peer();
            client.resolve("192.0.2.1", 1922);
            ByteBuffer data = ByteBuffer.allocateDirect(200);
            for (int i = 0; i < data.capacity(); i++) {
                data.put(i, (byte) (i + 1));
            }
            RdmaConnParam parameters = new RdmaConnParam();
            parameters.setPrivate_data(MemoryUtils.getAddress(data));
            parameters.setPrivate_data_len((byte) 200);
            assertThatIOException()
                    .isThrownBy(() -> client.id.connect(parameters))
                    .withMessageContaining("200 bytes");
            parameters.setPrivate_data_len((byte) 56);
            client.id.connect(parameters);
            data.put(0, (byte) 0);

            CmEvent request = channel.await(Duration.ofSeconds(10)).orElseThrow();
            assertThat(request.type()).isEqualTo(CmEventType.CONNECT_REQUEST);
            assertThat(request.privateData()).hasSize(56).startsWith(1, 2, 3).endsWith(55, 56);
            request.close();
            request.id().reject(new byte[0]);
            request.id().close();
            client.expect(EventType.RDMA_CM_EVENT_REJECTED);
            client.close();
        }
    }
}
