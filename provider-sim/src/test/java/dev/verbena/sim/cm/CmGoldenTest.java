package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.cm.CmIndication.Kind;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import dev.verbena.wire.mad.CmRequest;
import dev.verbena.wire.mad.RejectReason;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replays captured conversations of two Linux hosts with two engines that have the hosts' identities and luck: doing what the
 * users of the hosts did, they send the very bytes that the hosts sent.
 */
class CmGoldenTest {
    private static final int RXE_ACK_DELAY = 15;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rping",
                "rping_ipv6",
                "rdma_client",
                "rstream",
                "ucmatose",
                "vx_reject",
                "vx_retry_exceeded",
                "cm_rej_no_listener",
                "cm_req_unanswered"
            })
    void whatLinuxHostsSentIsSentByteForByte(String capture) {
        List<CapturedMad> conversation = CapturedMad.read(capture);
        assertThat(conversation).hasSizeGreaterThan(1);
        CapturedMad first = conversation.getFirst();
        Host client = new Host(first.source(), clientIdentity(conversation));
        Host server = new Host(first.destination(), serverIdentity(conversation));
        if (!capture.equals("cm_rej_no_listener")) {
            server.listen(new CmRequest().wrap(first.segment(), 0).serviceId());
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

    /** What a host was and drew. */
    private record Identity(long guid, int localId, int psn) {
        ListedRandom random() {
            return new ListedRandom().then(Integer.reverseBytes(localId) - 1).then(psn);
        }
    }

    private static Identity clientIdentity(List<CapturedMad> conversation) {
        CmRequest request = new CmRequest().wrap(conversation.getFirst().segment(), 0);
        return new Identity(request.localCaGuid(), request.localCommId(), request.startingPsn());
    }

    private static Identity serverIdentity(List<CapturedMad> conversation) {
        for (CapturedMad mad : conversation) {
            if (mad.header().attributeId() == CmAttribute.REP.id()) {
                CmReply reply = new CmReply().wrap(mad.segment(), 0);
                return new Identity(reply.localCaGuid(), reply.localCommId(), reply.startingPsn());
            }
        }
        // A host that only refuses shows neither GUID nor PSN.
        CmReject reject = new CmReject().wrap(conversation.getLast().segment(), 0);
        return new Identity(1, reject.localCommId(), 0);
    }

    /** An engine, and a user that does what the captured user did. */
    private static final class Host implements CmOutput, CmEndpoint {
        final Gid gid;
        final ArrayDeque<MemorySegment> sent = new ArrayDeque<>();
        final ArrayDeque<CapturedMad> deliveries = new ArrayDeque<>();
        private final CmEngine engine;
        private CmConnection connection;
        private long now;
        private long wakeAt = NEVER;

        Host(Gid gid, Identity identity) {
            this.gid = gid;
            this.engine = new CmEngine(
                    identity.guid(), RXE_ACK_DELAY, PathMtu.MTU_1024, identity.random(), this, new CmCounters());
        }

        void listen(long serviceId) {
            engine.addListener(new CmListener(serviceId, gid, true, 1, this));
        }

        /** Whoever sends the same message as the peer has not yet seen the peer's: they cross. */
        void takeDeliveriesBefore(CapturedMad next) {
            int crossing = next.header().attributeId();
            while (!deliveries.isEmpty() && deliveries.peek().header().attributeId() != crossing) {
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
                    Objects.requireNonNull(CmAttribute.of(mad.header().attributeId()));
            switch (message) {
                case REQ ->
                    connection = engine.connect(CmMessages.read(new CmRequest().wrap(mad.segment(), 0)), this, now);
                case REP -> connection.accept(CmMessages.read(new CmReply().wrap(mad.segment(), 0)), now);
                case RTU -> connection.establish();
                case DREQ, DREP -> connection.disconnect(now);
                case REJ -> reject(new CmReject().wrap(mad.segment(), 0));
                default -> throw new IllegalArgumentException(message.toString());
            }
        }

        private void reject(CmReject message) {
            if (message.reason() == RejectReason.CONSUMER_REJECT.code()) {
                connection.reject(CmMessages.privateData(message));
            } else if (message.reason() == RejectReason.TIMEOUT.code()) {
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
    }
}
