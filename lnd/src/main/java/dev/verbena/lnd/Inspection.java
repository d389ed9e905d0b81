package dev.verbena.lnd;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.Nid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Inspects a node's peers and the messages that have not ended. Used under the node's lock. */
final class Inspection {

    private final NetworkInterface ni;

    Inspection(NetworkInterface ni) {
        this.ni = ni;
    }

    List<PeerState> peers() {
        return ni.peers().all().stream()
                .map(peer -> new PeerState(
                        peer.nid(),
                        peer.incarnation(),
                        peer.connections().size(),
                        peer.attempts(),
                        peer.waiting().size()))
                .toList();
    }

    /** The oldest first. */
    List<HeldMessage> held() {
        List<HeldMessage> held = new ArrayList<>();
        for (Peer peer : ni.peers().all()) {
            for (TxDescriptor tx : peer.waiting()) {
                Duration time = ni.peers().waitingTime();
                held.add(describe(peer.nid(), tx, HeldMessage.WaitsFor.CONNECTION, time));
            }
            if (peer.hasDelayed()) {
                Duration limit = ni.tunables().timeout();
                peer.delayed()
                        .forEach((message, deadline) -> held.add(describe(
                                peer.nid(),
                                O2ibLnd.typeOf(message),
                                message,
                                HeldMessage.WaitsFor.EARLIER_MESSAGES,
                                limit,
                                deadline)));
            }
            for (Connection connection : peer.connections()) {
                boolean credit = connection.engine().credits() > 0;
                connection
                        .engine()
                        .forEach(tx -> held.add(describe(
                                peer.nid(),
                                tx,
                                waitsFor(tx, credit),
                                ni.tunables().timeout())));
            }
        }
        held.sort(Comparator.comparing(HeldMessage::age).reversed());
        return List.copyOf(held);
    }

    private static HeldMessage.WaitsFor waitsFor(TxDescriptor tx, boolean credit) {
        return switch (tx.stage()) {
            case QUEUED -> credit || !tx.type().needsCredit() ? HeldMessage.WaitsFor.TURN : HeldMessage.WaitsFor.CREDIT;
            case SENDING, IDLE -> HeldMessage.WaitsFor.ACKNOWLEDGEMENT;
            case AWAITING_ANSWER -> HeldMessage.WaitsFor.ANSWER;
        };
    }

    private HeldMessage describe(Nid peer, TxDescriptor tx, HeldMessage.WaitsFor waitsFor, Duration limit) {
        return describe(peer, tx.type(), tx.first(), waitsFor, limit, tx.deadline());
    }

    private HeldMessage describe(
            Nid peer,
            MessageType type,
            @Nullable LnetMessage message,
            HeldMessage.WaitsFor waitsFor,
            Duration limit,
            long deadline) {
        Duration age = limit.minusNanos(deadline - ni.now());
        return new HeldMessage(
                peer,
                type,
                message == null ? null : message.type(),
                message == null ? 0 : length(message),
                waitsFor,
                age.isNegative() ? Duration.ZERO : age);
    }

    private static long length(LnetMessage message) {
        return message.type() == LnetMessageType.GET ? message.sink().length() : message.payloadLength();
    }
}
