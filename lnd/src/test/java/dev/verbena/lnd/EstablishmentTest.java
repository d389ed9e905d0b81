// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnd.wire.RejectData;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.HealthClass;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.ProcessId;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the reaction of the connecting side to each rejection: its retries, their time and port, and the report to
 * LNet.
 */
class EstablishmentTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<LnetEvent> events = new ArrayList<>();
    private Lab lab;
    private LnetNode node;

    @BeforeEach
    void start() throws VerbsException {
        lab = new Lab(7);
    }

    @AfterEach
    void stop() throws VerbsException {
        lab.close();
    }

    private static O2ibTunables.Builder tunables() {
        return O2ibTunables.builder().memory(16L << 20);
    }

    private void put(ProcessId target, int length) {
        node.put(Lab.active(lab.memory(length, 1), 1, events), false, target, Lab.PORTAL, Lab.BITS, 0, 0);
    }

    private int awaitStatus(ProcessId target, int length) {
        events.clear();
        put(target, length);
        assertThat(lab.await(() -> !events.isEmpty(), LONG)).isTrue();
        return events.getFirst().status();
    }

    private static byte[] rejection(RejectReason reason, int depth, int fragments) {
        byte[] bytes = new byte[RejectData.LENGTH];
        new RejectData()
                .begin(MemorySegment.ofArray(bytes), 0, Protocol.VERSION_2, reason, ByteOrder.LITTLE_ENDIAN)
                .incarnation(RawPeer.STAMP)
                .connParams()
                .set(depth, fragments, 4096);
        return bytes;
    }

    /** Row 11 and section 2.11: the reaction to each reason. */
    @ParameterizedTest
    @CsvSource({
        "CONN_RACE, 8, 257, true, 8, 257",
        "NO_RESOURCES, 8, 257, false, 0, 0",
        "FATAL, 8, 257, false, 0, 0",
        "CONN_UNCOMPAT, 8, 257, false, 0, 0",
        "CONN_STALE, 8, 257, true, 8, 257",
        "RDMA_FRAGS, 8, 256, true, 8, 256",
        "RDMA_FRAGS, 8, 257, false, 0, 0",
        "RDMA_FRAGS, 8, 0, false, 0, 0",
        "MSG_QUEUE_SIZE, 5, 257, true, 5, 257",
        "MSG_QUEUE_SIZE, 9, 257, false, 0, 0",
        "INVALID_SRV_ID, 8, 257, false, 0, 0",
        "EARLY, 8, 257, false, 0, 0",
    })
    void aRefusalIsAnsweredByItsReason(
            RejectReason reason, int depth, int fragments, boolean again, int nextDepth, int nextFragments)
            throws VerbsException {
        node = lab.start(1);
        try (RawPeer peer = new RawPeer(lab, 3)) {
            peer.listen(List.of(rejection(reason, depth, fragments)));
            assertThat(awaitStatus(ProcessId.of(peer.nid()), 10)).isEqualTo(again ? 0 : -111);
            assertThat(node.statistics().rejectsReceived().get(reason)).isEqualTo(1);
            assertThat(peer.requests()).hasSize(again ? 2 : 1);
            assertThat(node.lnetStatistics().ended(HealthClass.REMOTE_DROPPED)).isEqualTo(again ? 0 : 1);
            assertThat(node.lnetStatistics().peersLost()).isEqualTo(again ? 0 : 1);
            if (again) {
                byte[] bytes = peer.requests().get(1);
                LndMessage request = new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
                request.parse(bytes.length);
                assertThat(request.connParams().queueDepth()).isEqualTo(nextDepth);
                assertThat(request.connParams().maxFragments()).isEqualTo(nextFragments);
                assertThat(request.header().destinationStamp()).isEqualTo(RawPeer.STAMP);
            }
        }
    }

    /** Row 18: ten attempts follow at once, further ones one second apart, until the message has waited 22.5 s. */
    @Test
    void reconnectsAreFastTenTimesAndThenOnceASecond() throws VerbsException {
        node = lab.start(1);
        try (RawPeer peer = new RawPeer(lab, 3)) {
            peer.listen(Collections.nCopies(100, rejection(RejectReason.CONN_RACE, 8, 257)));
            long before = lab.runtime().nanoTime();
            put(ProcessId.of(peer.nid()), 10);
            lab.pass(Duration.ofMillis(900));
            assertThat(peer.requests()).hasSize(11);
            lab.pass(Duration.ofSeconds(5));
            assertThat(peer.requests().size()).isBetween(15, 17);
            assertThat(lab.await(() -> !events.isEmpty(), LONG)).isTrue();
            assertThat(events.getFirst().status()).isEqualTo(-110);
            assertThat(node.lnetStatistics().ended(HealthClass.NETWORK_TIMEOUT)).isEqualTo(1);
            assertThat(Duration.ofNanos(lab.runtime().nanoTime() - before))
                    .isBetween(Duration.ofMillis(22_500), Duration.ofMillis(36_500));
            int attempts = peer.requests().size();
            lab.pass(Duration.ofSeconds(10));
            assertThat(peer.requests().size()).as("nobody waits any more").isLessThanOrEqualTo(attempts + 1);
        }
    }

    /** Row 20: connections come from port 1023, however many there are. */
    @Test
    void connectionsComeFromAPrivilegedPortWhichTheyShare() throws VerbsException {
        node = lab.start(1, tunables().connsPerPeer(4).build());
        LnetNode strict = lab.start(2, tunables().privilegedPorts(true, true).build());
        assertThat(awaitStatus(strict.id(), 10)).isZero();
        lab.pass(Duration.ofSeconds(1));
        assertThat(strict.statistics().connections()).hasSize(4);
    }

    /** Row 20: the reject that a real node sends, with nothing in it but its reason. */
    @Test
    void aNodeThatRequiresPrivilegedPortsRejectsOtherPorts() throws VerbsException {
        node = lab.start(1, tunables().privilegedPorts(false, false).build());
        LnetNode strict = lab.start(2, tunables().privilegedPorts(true, true).build());
        assertThat(awaitStatus(strict.id(), 10)).isEqualTo(-111);
        assertThat(strict.statistics().rejectsSent().get(RejectReason.FATAL)).isEqualTo(1);
        try (RawPeer peer = new RawPeer(lab, 3)) {
            assertThat(peer.connect(strict, peer.connreq(strict, 9, 257)))
                    .as("987 is privileged, so that this one gets further")
                    .isEqualTo(CmEventType.REJECTED);
            assertThat(strict.statistics().rejectsSent().get(RejectReason.MSG_QUEUE_SIZE))
                    .isEqualTo(1);
        }
    }

    /** Row 54: which class a message ends with depends on how far it has come. */
    @Test
    void aTimeoutIsReportedByTheProgressOfTheMessage() throws VerbsException {
        node = lab.start(1);
        try (RawPeer peer = new RawPeer(lab, 3)) {
            peer.connectProperly(node);
            for (int i = 0; i < 9; i++) {
                put(ProcessId.of(peer.nid()), 5000);
            }
            assertThat(lab.await(() -> events.size() == 9, LONG)).isTrue();
            // Eight are with the peer, which never answers; the ninth waits for the end of one of them until its own
            // time is over.
            assertThat(events.stream().filter(event -> event.status() == -103)).hasSize(8);
            assertThat(events.stream().filter(event -> event.status() == -110)).hasSize(1);
            assertThat(node.lnetStatistics().ended(HealthClass.REMOTE_TIMEOUT)).isEqualTo(8);
            assertThat(node.lnetStatistics().ended(HealthClass.LOCAL_TIMEOUT)).isEqualTo(1);
            assertThat(node.lnetStatistics().peersLost()).isEqualTo(1);
        }
    }

    /** Row 50: a SEND that is not confirmed cannot have been acted on. */
    @Test
    void aSendThatFailsIsReportedAsDropped() throws VerbsException {
        node = lab.start(1);
        LnetNode other = lab.start(2);
        assertThat(awaitStatus(other.id(), 10)).isZero();
        lab.fabric().silence("sim1");
        assertThat(awaitStatus(other.id(), 10)).isEqualTo(-5);
        assertThat(node.lnetStatistics().ended(HealthClass.REMOTE_DROPPED)).isEqualTo(1);
        assertThat(node.lnetStatistics().ended(HealthClass.OK)).isEqualTo(1);
    }

    /** Rows 19 and 21: no way to the peer, or no answer from it. */
    @Test
    void aConnectThatComesToNothingIsReportedByItsCause() throws VerbsException {
        node = lab.start(1);
        assertThat(awaitStatus(ProcessId.of(Lab.nid(2)), 10)).isEqualTo(-113);
        assertThat(node.lnetStatistics().ended(HealthClass.NETWORK_TIMEOUT)).isEqualTo(1);
        LnetNode other = lab.start(2);
        lab.fabric().silence("sim1");
        assertThat(awaitStatus(other.id(), 10)).isEqualTo(-100);
        assertThat(node.lnetStatistics().ended(HealthClass.LOCAL_DROPPED)).isEqualTo(1);
        assertThat(node.lnetStatistics().peersLost()).isEqualTo(2);
    }

    /** A device may flush the receives of a rejected connection before the event reports the rejection. */
    @Test
    void aRefusalIsTheCauseAlsoWhenFlushesComeFirst() throws VerbsException {
        EventInjector manager = new EventInjector(lab.manager());
        node = lab.start(manager, 1, tunables().build());
        put(ProcessId.of(Lab.nid(2)), 10);
        assertThat(lab.await(() -> requested(manager).findAny().isPresent(), LONG))
                .isTrue();
        requested(manager).forEach(connection -> connection.close(-5));
        assertThat(lab.await(() -> !events.isEmpty(), LONG)).isTrue();
        assertThat(events.getFirst().status()).isEqualTo(-113);
        assertThat(node.lnetStatistics().ended(HealthClass.NETWORK_TIMEOUT)).isEqualTo(1);
    }

    /**
     * Row 25, section 4.9: messages that arrived before an attempt failed count as received, since the device
     * acknowledged them.
     */
    @Test
    void messagesBeforeAConnectionFailedAreReceived() throws VerbsException {
        node = lab.start(1);
        EventInjector manager = new EventInjector(lab.manager());
        LnetNode other = lab.start(manager, 2, tunables().build());
        List<LnetEvent> arrived = new ArrayList<>();
        Lab.serve(other, lab.memory(10, 2), arrived, MdOption.OP_PUT);
        node.put(Lab.active(lab.memory(10, 1), 1, events), false, other.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        // The last packet of the handshake is lost, and the message, which is sent again, comes without it.
        assertThat(lab.await(() -> in(manager, ConnectionState.PASSIVE_WAIT).count() == 1, LONG))
                .isTrue();
        lab.fabric().silence("sim0");
        Connection connection =
                in(manager, ConnectionState.PASSIVE_WAIT).findFirst().orElseThrow();
        assertThat(lab.await(() -> !node.statistics().connections().isEmpty(), LONG))
                .isTrue();
        lab.fabric().unsilence();
        assertThat(lab.await(() -> !connection.early().isEmpty(), LONG)).isTrue();
        assertThat(connection.state()).isEqualTo(ConnectionState.PASSIVE_WAIT);
        manager.inject(CmEventType.DISCONNECTED, connection.id(), 0, new byte[0]);
        assertThat(lab.await(() -> !arrived.isEmpty(), LONG)).isTrue();
        assertThat(arrived.getFirst().isSuccess()).isTrue();
        assertThat(other.statistics().established()).isZero();
    }

    private static Stream<Connection> requested(EventInjector manager) {
        return in(manager, ConnectionState.ACTIVE_CONNECT);
    }

    private static Stream<Connection> in(EventInjector manager, ConnectionState state) {
        return manager.ids().stream()
                .map(ConnectionId::context)
                .filter(Connection.class::isInstance)
                .map(Connection.class::cast)
                .filter(connection -> connection.state() == state);
    }

    /** Row 39: the peer reports its failure. */
    @Test
    void aRefusedTransferIsTheFaultOfThePeer() throws VerbsException {
        node = lab.start(1);
        try (RawPeer peer = new RawPeer(lab, 3)) {
            long stamp = peer.connectProperly(node);
            put(ProcessId.of(peer.nid()), 5000);
            assertThat(lab.await(() -> !peer.received().isEmpty(), LONG)).isTrue();
            long cookie = peer.received().getFirst().requestCookie();
            peer.send(peer.message(MessageType.PUT_NAK, node, stamp, message -> {
                message.completion().set(cookie, -12);
            }));
            assertThat(events.getFirst().status()).isEqualTo(-12);
            assertThat(node.lnetStatistics().ended(HealthClass.REMOTE_ERROR)).isEqualTo(1);
        }
    }
}
