// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.engine.ConnectionEngine;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.LnetMessageType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects information about a node's LND, one CPU partition after another. */
final class Inspection {

    private final O2ibLnd lnd;
    private final NodeContext context;

    Inspection(O2ibLnd lnd) {
        this.lnd = lnd;
        context = lnd.context();
    }

    private <T> List<T> ofEachPeer(Function<Peer, Stream<T>> question) {
        List<T> all = new ArrayList<>();
        for (Peers peers : lnd.partitions()) {
            synchronized (peers.cpt().lock()) {
                peers.all().forEach(peer -> question.apply(peer).forEach(all::add));
            }
        }
        return all;
    }

    /** Returns the peers, ordered by CPU partition and then by first connection attempt. */
    List<PeerState> peers() {
        return List.copyOf(ofEachPeer(peer -> Stream.of(new PeerState(
                peer.nid(),
                peer.incarnation(),
                peer.connections().size(),
                peer.attempts(),
                peer.waiting().size()))));
    }

    List<HeldMessage> held() {
        List<HeldMessage> held = ofEachPeer(this::held);
        held.sort(Comparator.comparing(HeldMessage::age).reversed());
        return List.copyOf(held);
    }

    private Stream<HeldMessage> held(Peer peer) {
        List<HeldMessage> held = new ArrayList<>();
        Duration limit = context.tunables().timeout();
        for (TxDescriptor tx : peer.waiting()) {
            held.add(describe(peer, tx, HeldMessage.WaitsFor.CONNECTION, context.waitingTime()));
        }
        if (peer.hasDelayed()) {
            peer.delayed()
                    .forEach((message, deadline) -> held.add(describe(
                            peer,
                            SendFlow.typeOf(message),
                            message,
                            HeldMessage.WaitsFor.EARLIER_MESSAGES,
                            limit,
                            deadline)));
        }
        for (Connection connection : peer.connections()) {
            boolean credit = connection.engine().credits() > 0;
            connection.engine().forEach(tx -> held.add(describe(peer, tx, waitsFor(tx, credit), limit)));
        }
        return held.stream();
    }

    O2ibStatistics statistics() {
        LndCounters counters = new LndCounters();
        for (Cpt cpt : context.cpts()) {
            synchronized (cpt.lock()) {
                counters.add(cpt.counters());
            }
        }
        NetworkInterface ni = context.interfaces().getFirst();
        return counters.with(
                sum(partition -> partition.transfers().bounced()),
                new O2ibStatistics.RegistrationStatistics(
                        ni.hca().kind(),
                        (int) sum(partition -> partition.registrations().objects()),
                        (int) sum(partition -> partition.registrations().pools()),
                        (int) sum(partition -> partition.registrations().inUse())),
                (int) sum(partition -> partition.transmits().inUse()),
                ni.memory().freeBytes(),
                List.copyOf(ofEachPeer(peer -> peer.connections().stream().map(Inspection::statistics))));
    }

    private static O2ibStatistics.ConnectionStatistics statistics(Connection connection) {
        ConnectionEngine<TxDescriptor> engine = connection.engine();
        return new O2ibStatistics.ConnectionStatistics(
                connection.nid(),
                connection.queueDepth(),
                engine.credits(),
                engine.outstanding(),
                engine.reserved(),
                engine.pending());
    }

    private long sum(ToLongFunction<Partition> value) {
        long sum = 0;
        for (Partition partition :
                lnd.hcas().flatMap(hca -> hca.partitions().stream()).toList()) {
            synchronized (partition.cpt().lock()) {
                sum += value.applyAsLong(partition);
            }
        }
        return sum;
    }

    private static HeldMessage.WaitsFor waitsFor(TxDescriptor tx, boolean credit) {
        return switch (tx.stage()) {
            case QUEUED -> credit || !tx.type().needsCredit() ? HeldMessage.WaitsFor.TURN : HeldMessage.WaitsFor.CREDIT;
            case SENDING, IDLE -> HeldMessage.WaitsFor.ACKNOWLEDGEMENT;
            case AWAITING_ANSWER -> HeldMessage.WaitsFor.ANSWER;
        };
    }

    private static HeldMessage describe(Peer peer, TxDescriptor tx, HeldMessage.WaitsFor waitsFor, Duration limit) {
        return describe(peer, tx.type(), tx.first(), waitsFor, limit, tx.deadline());
    }

    private static HeldMessage describe(
            Peer peer,
            MessageType type,
            @Nullable LnetMessage message,
            HeldMessage.WaitsFor waitsFor,
            Duration limit,
            long deadline) {
        Duration age = limit.minusNanos(deadline - peer.cpt().now());
        return new HeldMessage(
                peer.nid(),
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
