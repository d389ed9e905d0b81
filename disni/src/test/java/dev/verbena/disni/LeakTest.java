// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Connections that endpoint groups open and close leave nothing: {@code -Dverbena.disni.connections=N}, 10,000 by default. */
@Tag("sweep")
@DisabledOnOs(OS.WINDOWS) // Descriptors are not counted there.
class LeakTest {
    private static final InetSocketAddress SERVER = new InetSocketAddress("192.0.2.1", 1919);
    private static final int CONNECTIONS = Integer.getInteger("verbena.disni.connections", 10_000);

    /** What a process holds. */
    private record Holdings(long heap, long descriptors, int threads) {
        static Holdings now() throws InterruptedException {
            for (int i = 0; i < 3; i++) {
                System.gc();
                TimeUnit.MILLISECONDS.sleep(200); // the collector's cleaners
            }
            var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return new Holdings(
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                    system.getOpenFileDescriptorCount(),
                    Thread.activeCount());
        }
    }

    @Test
    @Timeout(900)
    void closedConnectionsReleaseAllResources() throws Exception {
        var servers = MessageEndpoint.group(false);
        var clients = MessageEndpoint.group(false);
        RdmaServerEndpoint<MessageEndpoint> listener = servers.createServerEndpoint();
        listener.bind(SERVER, 10);
        openAndClose(clients, listener, CONNECTIONS / 10);
        Holdings early = Holdings.now();
        openAndClose(clients, listener, CONNECTIONS - CONNECTIONS / 10);
        Holdings late = Holdings.now();

        System.out.println("after a tenth of " + CONNECTIONS + " connections " + early + ", after all " + late);
        assertThat((double) late.heap()).isLessThan(1.05 * early.heap());
        assertThat((double) late.descriptors()).isLessThan(1.05 * early.descriptors());
        assertThat((double) late.threads()).isLessThan(1.05 * early.threads());
        listener.close();
        clients.close();
        servers.close();
    }

    private static void openAndClose(
            RdmaActiveEndpointGroup<MessageEndpoint> clients, RdmaServerEndpoint<MessageEndpoint> listener, int count)
            throws Exception {
        for (int i = 0; i < count; i++) {
            MessageEndpoint client = clients.createEndpoint();
            Thread connecting = Thread.ofVirtual().start(() -> {
                try {
                    client.connect(SERVER, 1000);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            MessageEndpoint server = listener.accept();
            connecting.join();
            client.close();
            server.close();
            client.release();
            server.release();
        }
    }
}
