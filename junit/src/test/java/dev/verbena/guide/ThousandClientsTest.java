// SPDX-License-Identifier: Apache-2.0
package dev.verbena.guide;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.junit.Node;
import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;
import dev.verbena.verbs.*;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A server whose 1,000 queue pairs share one receive queue: it needs memory for the messages that arrive, not for the clients. */
class ThousandClientsTest {
    private static final int CLIENTS = 1000;
    private static final int RECEIVES = 64;
    private static final long BYTES = 64;

    @VerbsTest
    void oneSharedReceiveQueueServesThemAll(Node client, Node server, VerbsNetwork network) throws Exception {
        try (VerbsScope scope = new VerbsScope()) {
            MemoryRegion region = region(scope, server);
            CompletionQueue cq = scope.opened(server.device().createCq(CqInitAttributes.ofCapacity(CLIENTS)));
            SharedReceiveQueue srq = scope.opened(server.pd()
                    .createSrq(SrqInitAttributes.builder().maxWr(RECEIVES).build()));
            post(srq, region, RECEIVES);

            MemoryRegion message = region(scope, client);
            CompletionQueue sent = scope.opened(client.device().createCq(CqInitAttributes.ofCapacity(CLIENTS)));
            List<QueuePair> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                QueuePair here = scope.opened(client.pd().createQp(QpInitAttributes.rc(sent, QpCapabilities.of(1, 1))));
                QueuePair there = scope.opened(server.pd()
                        .createQp(QpInitAttributes.rc(cq, QpCapabilities.of(1, 0)).toBuilder()
                                .srq(srq)
                                .build()));
                connect(here, there);
                clients.add(here);
            }

            for (QueuePair each : clients) {
                SendRequests sends = each.newSendRequests(1);
                sends.get(0).send().signaled().sge(message, 0, BYTES);
                each.postAll(sends, 1);
            }
            WorkCompletions arrived = cq.newCompletions(RECEIVES);
            for (int taken = 0; taken < CLIENTS; ) {
                int count = cq.await(arrived, Duration.ofSeconds(5));
                for (int i = 0; i < count; i++) {
                    assertThat(arrived.get(i)).isSuccess().hasByteLength(BYTES);
                }
                post(srq, region, count);
                taken += count;
            }
        }
    }

    private static MemoryRegion region(VerbsScope scope, Node node) throws VerbsException {
        return scope.opened(node.pd()
                .registerMemory(
                        scope.opened(node.device().newArena()).allocate(RECEIVES * BYTES), AccessFlag.LOCAL_WRITE));
    }

    private static void post(SharedReceiveQueue srq, MemoryRegion region, int count) throws VerbsException {
        ReceiveRequests receives = srq.newReceiveRequests(count);
        for (int i = 0; i < count; i++) {
            receives.get(i).clear().sge(region, 0, BYTES);
        }
        srq.postAll(receives, count);
    }

    private static void connect(QueuePair here, QueuePair there) throws VerbsException {
        QpConnector left = QpConnector.of(here);
        QpConnector right = QpConnector.of(there);
        right.connect(left.local());
        left.connect(right.local());
    }
}
