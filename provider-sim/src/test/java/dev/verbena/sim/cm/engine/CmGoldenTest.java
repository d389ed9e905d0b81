// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.RejectReason;
import dev.verbena.sim.cm.engine.CmIndication.Kind;
import dev.verbena.sim.fixture.CapturedPackets;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import dev.verbena.wire.mad.CmRequest;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.SidrReply;
import dev.verbena.wire.mad.SidrRequest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replays captured conversations of two Linux hosts with two engines that have the hosts' identities and random
 * numbers. With the same calls of their users, the engines send exactly the bytes that the hosts sent.
 */
class CmGoldenTest {
    private static final int RXE_ACK_DELAY = 15;

    /** Returns all conversations of all captures; some have several connections. */
    static Stream<Arguments> conversations() {
        return CapturedPackets.names().stream()
                .filter(name -> !name.startsWith("lnet/"))
                .flatMap(name -> conversations(name).stream().map(each -> Arguments.of(name, each)));
    }

    /** Returns the conversations of a capture, each identified by a number of the side that begins it. */
    private static List<List<CapturedMad>> conversations(String capture) {
        Map<Integer, List<CapturedMad>> conversations = new LinkedHashMap<>();
        for (CapturedMad mad : CapturedMad.read(capture)) {
            int first = mad.firstNumber();
            Integer key = conversations.containsKey(first) || isQuestion(mad) ? first : (Integer) mad.secondNumber();
            conversations.computeIfAbsent(key, _ -> new ArrayList<>()).add(mad);
        }
        return List.copyOf(conversations.values());
    }

    private static boolean isQuestion(CapturedMad mad) {
        int message = mad.header().get(MadHeader.ATTRIBUTE_ID);
        return message == CmAttribute.REQ.id() || message == CmAttribute.SIDR_REQ.id();
    }

    @Test
    void theCapturesOfAllToolsHaveConversations() {
        List<String> captures =
                conversations().map(each -> (String) each.get()[0]).distinct().toList();
        assertThat(captures)
                .contains("rping", "rping_ipv6", "ucmatose", "udaddy", "rdma_client", "rstream", "write_bw_cm")
                .contains("cm_rej_no_listener", "cm_req_unanswered", "vx_reject", "vx_retry_exceeded")
                .hasSize(29);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("conversations")
    void sendsTheSameBytesAsLinuxHosts(String capture, List<CapturedMad> conversation) {
        assertThat(conversation).hasSizeGreaterThan(1);
        CapturedMad first = conversation.getFirst();
        Host client = new Host(first.source(), clientIdentity(conversation));
        Host server = new Host(first.destination(), serverIdentity(conversation));
        if (!capture.equals("cm_rej_no_listener")) {
            server.listen(first);
        }
        boolean silent = capture.equals("cm_req_unanswered");
        List<Byte> previous = List.of();
        for (CapturedMad mad : conversation) {
            Host sender = mad.source().equals(client.gid) ? client : server;
            Host receiver = sender == client ? server : client;
            sender.takeDeliveriesBefore(mad);
            if (mad.bytes().equals(previous)) {
                sender.waitForRepetition();
            } else {
                sender.act(mad);
            }
            assertThat(sender.sent).as("%s: %s", capture, mad.header()).isNotEmpty();
            assertThat(Bytes.list(sender.sent.remove()))
                    .as("%s: %s", capture, mad.header())
                    .isEqualTo(mad.bytes());
            if (!silent) {
                receiver.deliveries.add(mad);
            }
            previous = mad.bytes();
        }
    }

    /** The identity and the random numbers of a host. */
    private record Identity(long guid, int localId, int psn) {
        ListedRandom random() {
            return new ListedRandom().then(Integer.reverseBytes(localId) - 1).then(psn);
        }
    }

    private static Identity clientIdentity(List<CapturedMad> conversation) {
        CapturedMad first = conversation.getFirst();
        if (first.header().get(MadHeader.ATTRIBUTE_ID) == CmAttribute.SIDR_REQ.id()) {
            return new Identity(1, first.firstNumber(), 0);
        }
        CmRequest request = new CmRequest().wrap(first.segment(), 0);
        return new Identity(
                request.getLong(CmRequest.LOCAL_CA_GUID),
                request.get(CmRequest.LOCAL_COMM_ID),
                request.get(CmRequest.STARTING_PSN));
    }

    private static Identity serverIdentity(List<CapturedMad> conversation) {
        for (CapturedMad mad : conversation) {
            if (mad.header().get(MadHeader.ATTRIBUTE_ID) == CmAttribute.REP.id()) {
                CmReply reply = new CmReply().wrap(mad.segment(), 0);
                return new Identity(
                        reply.getLong(CmReply.LOCAL_CA_GUID),
                        reply.get(CmReply.LOCAL_COMM_ID),
                        reply.get(CmReply.STARTING_PSN));
            }
        }
        // A host that only rejects, or answers queries, shows neither GUID nor PSN.
        return new Identity(1, conversation.getLast().firstNumber(), 0);
    }

    /** An engine, with a user that makes the calls of the captured user. */
    private static final class Host implements CmOutput, CmEndpoint, SidrEndpoint {
        final Gid gid;
        final ArrayDeque<MemorySegment> sent = new ArrayDeque<>();
        final ArrayDeque<CapturedMad> deliveries = new ArrayDeque<>();
        private final CmEngine engine;
        private CmConnection connection;
        private ReceivedSidrRequest received;
        private long now;
        private long wakeAt = NEVER;

        Host(Gid gid, Identity identity) {
            this.gid = gid;
            this.engine = new CmEngine(
                    identity.guid(), RXE_ACK_DELAY, PathMtu.MTU_1024, identity.random(), this, new CmCounters());
        }

        void listen(CapturedMad first) {
            boolean datagrams = first.header().get(MadHeader.ATTRIBUTE_ID) == CmAttribute.SIDR_REQ.id();
            long serviceId = datagrams
                    ? new SidrRequest().wrap(first.segment(), 0).getLong(SidrRequest.SERVICE_ID)
                    : new CmRequest().wrap(first.segment(), 0).getLong(CmRequest.SERVICE_ID);
            CmService service = datagrams ? new CmService.Datagrams(this::onRequest) : new CmService.Connections(this);
            engine.addListener(new CmListener(serviceId, gid, true, 1024, service));
        }

        /**
         * Delivers MADs before the next one is sent. A host that sends the same message as its peer has not yet
         * received the peer's: the two cross.
         */
        void takeDeliveriesBefore(CapturedMad next) {
            int crossing = next.header().get(MadHeader.ATTRIBUTE_ID);
            while (!deliveries.isEmpty() && deliveries.peek().header().get(MadHeader.ATTRIBUTE_ID) != crossing) {
                CapturedMad mad = deliveries.remove();
                engine.onMad(mad.source(), mad.destination(), mad.segment(), now);
            }
        }

        void waitForRepetition() {
            assertThat(wakeAt).isNotEqualTo(NEVER);
            now = wakeAt;
            engine.onTime(now);
        }

        void act(CapturedMad mad) {
            CmAttribute message =
                    Objects.requireNonNull(CmAttribute.of(mad.header().get(MadHeader.ATTRIBUTE_ID)));
            switch (message) {
                case REQ ->
                    connection = engine.connect(CmMessages.read(new CmRequest().wrap(mad.segment(), 0)), this, now);
                case REP -> connection.accept(CmMessages.read(new CmReply().wrap(mad.segment(), 0)), now);
                case RTU -> connection.establish();
                case DREQ, DREP -> connection.disconnect(now);
                case REJ -> reject(new CmReject().wrap(mad.segment(), 0));
                case SIDR_REQ -> {
                    SidrRequest asked = new SidrRequest().wrap(mad.segment(), 0);
                    engine.sidr().sendRequest(CmMessages.read(asked, mad.source(), mad.destination()), this, now);
                }
                case SIDR_REP -> received.reply(CmMessages.read(new SidrReply().wrap(mad.segment(), 0)), now);
                default -> throw new IllegalArgumentException(message.toString());
            }
        }

        private void reject(CmReject message) {
            if (message.get(CmReject.REASON) == RejectReason.CONSUMER_DEFINED.code()) {
                connection.reject(CmMessages.privateData(message));
            } else if (message.get(CmReject.REASON) == RejectReason.TIMEOUT.code()) {
                connection.destroy(now);
            }
        }

        @Override
        public void send(Gid source, Gid destination, MemorySegment mad) {
            assertThat(source).isEqualTo(gid);
            sent.add(mad);
        }

        @Override
        public void wakeAt(long nanoTime) {
            wakeAt = nanoTime;
        }

        @Override
        public void onIndication(CmConnection about, CmIndication indication) {
            if (indication.kind() == Kind.REQUESTED) {
                connection = about;
                about.setOwner(this);
            }
        }

        private void onRequest(ReceivedSidrRequest asked) {
            received = asked;
        }

        @Override
        public void onReply(SentSidrRequest request, SidrReplyParameters reply) {
            assertThat(reply.status()).isZero();
        }

        @Override
        public void onTimeout(SentSidrRequest request) {
            throw new AssertionError("no answer");
        }
    }
}
