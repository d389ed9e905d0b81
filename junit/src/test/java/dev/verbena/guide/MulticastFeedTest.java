// SPDX-License-Identifier: Apache-2.0
package dev.verbena.guide;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.cm.*;
import dev.verbena.junit.Nodes;
import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;
import dev.verbena.verbs.*;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A publisher and its subscribers in a multicast group. */
class MulticastFeedTest {
    private static final Duration SECONDS = Duration.ofSeconds(5);
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");
    /** A datagram is received behind its global route header. */
    private static final int GRH_BYTES = 40;

    /** A member of the group: an id of rdma_cm with a datagram queue pair. */
    private static final class Member implements AutoCloseable {
        private final VerbsScope scope = new VerbsScope();
        private final MemoryRegion region;
        private final CompletionQueue cq;
        private final QueuePair qp;
        private final UdParameters group;
        private final AddressHandle handle;

        Member(ConnectionManager manager, String address) throws Exception {
            EventChannel events = scope.opened(manager.createEventChannel());
            ConnectionId id = scope.opened(manager.createId(events, PortSpace.UDP, null));
            id.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
            Device device = id.device().orElseThrow(); // the device with this address
            ProtectionDomain pd = scope.opened(device.allocatePd());
            region = scope.opened(
                    pd.registerMemory(scope.opened(device.newArena()).allocate(4096), AccessFlag.LOCAL_WRITE));
            cq = scope.opened(device.createCq(CqInitAttributes.ofCapacity(8)));
            QpInitAttributes attributes = QpInitAttributes.builder()
                    .type(QpType.UD)
                    .sendCq(cq)
                    .receiveCq(cq)
                    .capabilities(QpCapabilities.of(4, 4))
                    .build();
            qp = scope.opened(id.createQp(pd, attributes));
            id.joinMulticast(GROUP, MulticastRole.FULL_MEMBER, null);
            try (CmEvent joined = events.await(SECONDS).orElseThrow()) {
                group = joined.udParameters().orElseThrow(); // present if the type is MULTICAST_JOIN
            }
            scope.opened(() -> id.leaveMulticast(GROUP)); // before the queue pair closes
            handle = scope.opened(pd.createAh(group.address()));
        }

        void postReceive() throws VerbsException {
            ReceiveRequests receives = qp.newReceiveRequests(1);
            receives.get(0).clear().sge(region, 0, 4096);
            qp.postAll(receives, 1);
        }

        void publish(String text) throws Exception {
            region.memory().setString(0, text);
            SendRequests sends = qp.newSendRequests(1);
            sends.get(0)
                    .send()
                    .signaled()
                    .to(handle, group.qpNumber(), group.qkey())
                    .sge(region, 0, text.length() + 1);
            qp.postAll(sends, 1);
            await();
        }

        WorkCompletion await() throws Exception {
            WorkCompletions done = cq.newCompletions(1);
            cq.await(done, SECONDS);
            assertThat(done.get(0)).isSuccess();
            return done.get(0);
        }

        @Override
        public void close() throws VerbsException {
            scope.close();
        }
    }

    @VerbsTest
    @Nodes({"publisher", "first", "second"})
    void everyMemberReceivesWhatOnePublishes(VerbsNetwork network) throws Exception {
        ConnectionManager manager = network.connectionManager();
        try (Member publisher = new Member(manager, "192.0.2.1");
                Member first = new Member(manager, "192.0.2.2");
                Member second = new Member(manager, "192.0.2.3")) {
            first.postReceive();
            second.postReceive();
            publisher.publish("news");
            assertThat(first.await()).hasByteLength(GRH_BYTES + "news".length() + 1);
            assertThat(second.await()).isSuccess();
            assertThat(second.region.memory()).hasText(GRH_BYTES, "news");
        }
    }
}
