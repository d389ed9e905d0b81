// SPDX-License-Identifier: Apache-2.0
package dev.verbena.guide;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.cm.CmEndpoint;
import dev.verbena.cm.CmListener;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;
import dev.verbena.verbs.*;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A server that echoes one message of each client, over connections of rdma_cm. */
class RdmaCmEchoTest {
    private static final Duration SECONDS = Duration.ofSeconds(5);
    private static final QpCapabilities SIZES = QpCapabilities.of(4, 4);
    private static final ConnectionParameters DEFAULTS =
            ConnectionParameters.builder().build();

    static void serve(CmListener listener) throws Exception {
        try (CmEndpoint end = listener.getRequest(SECONDS);
                MemoryRegion region = region(end)) {
            postReceive(end, region); // before accept: the client may send at once
            end.accept(DEFAULTS, SECONDS);
            send(end, region, await(end.receiveCq()).byteLength());
            end.disconnect(SECONDS);
        }
    }

    static String ask(ConnectionManager manager, InetSocketAddress server, String text) throws Exception {
        try (CmEndpoint end = CmEndpoint.create(manager, server, SIZES, SECONDS);
                MemoryRegion region = region(end)) {
            postReceive(end, region);
            end.connect(DEFAULTS, SECONDS);
            region.memory().setString(0, text);
            send(end, region, text.length() + 1);
            await(end.receiveCq());
            end.disconnect(SECONDS);
            return region.memory().getString(0);
        }
    }

    private static MemoryRegion region(CmEndpoint end) throws VerbsException {
        return end.protectionDomain().registerMemory(ByteBuffer.allocateDirect(256), AccessFlag.LOCAL_WRITE);
    }

    private static void postReceive(CmEndpoint end, MemoryRegion region) throws VerbsException {
        ReceiveRequests receives = end.queuePair().newReceiveRequests(1);
        receives.get(0).clear().sge(region, 0, 256);
        end.queuePair().postAll(receives, 1);
    }

    private static void send(CmEndpoint end, MemoryRegion region, long length) throws Exception {
        SendRequests sends = end.queuePair().newSendRequests(1);
        sends.get(0).send().signaled().sge(region, 0, length);
        end.queuePair().postAll(sends, 1);
        await(end.sendCq());
    }

    private static WorkCompletion await(CompletionQueue cq) throws Exception {
        WorkCompletions done = cq.newCompletions(1);
        cq.await(done, SECONDS);
        assertThat(done.get(0)).isSuccess();
        return done.get(0);
    }

    @VerbsTest
    void theServerEchoes(VerbsNetwork network) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.2"), 7471);
        try (CmListener listener = CmListener.listen(network.connectionManager(), address, SIZES, 1)) {
            var server = network.actor("server", () -> serve(listener));
            String answer = ask(network.connectionManager(), listener.address(), "hello");
            network.join(server);
            if (!answer.equals("hello")) throw new AssertionError(answer);
        }
    }
}
