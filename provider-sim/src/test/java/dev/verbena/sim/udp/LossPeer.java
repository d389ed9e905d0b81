// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Probability;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fault.FaultKind;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.LossLedger;
import dev.verbena.sim.fixture.MessagePattern;
import dev.verbena.sim.fixture.MessageReceiver;
import dev.verbena.sim.fixture.MessageSender;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.profile.SendWindow;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One of two processes that send messages to each other over a bad link, both at the same time, on several connections
 * of one socket.
 */
final class LossPeer implements AutoCloseable {
    static final int RETRIES = 7;

    private static final int FIRST_PSN = 0;

    /** 268 ms: eight of them exceed the time for which a process may wait for its processor, even under load. */
    private static final AckTimeout TIMEOUT = AckTimeout.ofCode(16);

    /**
     * Narrow, so that all connections together never send more than the socket's buffer holds: an overflow would be an
     * additional loss.
     */
    private static final SendWindow WINDOW = new SendWindow(8, 8);

    /** The transmission time of several tens of packets. */
    private static final Duration LATE = Duration.ofNanos(200_000);

    private final Loopback place;
    private final int side;
    private final Map<Integer, LossLedger> books = LossLedger.books();
    private final List<FaultyFabric> faults = new ArrayList<>();
    private final UdpLab lab;
    private final Node node;
    private final List<Link> links = new ArrayList<>();

    /** One connection. */
    private static final class Link {
        private final Endpoint endpoint;
        private final MessageSender sender;
        private final MessageReceiver receiver;
        private int peer;
        private boolean peerFailed;
        private boolean reported;

        Link(Endpoint endpoint, MessageSender sender, MessageReceiver receiver) {
            this.endpoint = endpoint;
            this.sender = sender;
            this.receiver = receiver;
        }

        boolean hasFailed() {
            return sender.failedWith() != null || receiver.hasFailed();
        }
    }

    /** Makes one side of a number of connections, each of which carries a number of messages in each direction. */
    LossPeer(Loopback place, int side, Probability loss, int connections, int messages) throws VerbsException {
        this.place = place;
        this.side = side;
        FaultPlan weather = FaultPlan.builder()
                .drop(loss)
                .reorder(Probability.parse("5%"), LATE)
                .duplicate(Probability.parse("2%"))
                .corrupt(Probability.parse("1%"))
                .build();
        lab = new UdpLab(place, (udp, runtime) -> withFaults(udp, weather, runtime));
        node = lab.node(
                side,
                connections * MessagePattern.MEMORY,
                profile -> profile.toBuilder().sendWindow(WINDOW).build());
        for (int i = 0; i < connections; i++) {
            Endpoint endpoint =
                    node.endpoint(new QpCapabilities(MessagePattern.SEND_SLOTS, MessagePattern.RECEIVE_SLOTS, 1, 1, 0));
            long memory = i * MessagePattern.MEMORY;
            links.add(new Link(
                    endpoint,
                    new MessageSender(endpoint, memory, messages, new MessagePattern(2 * i + side)),
                    new MessageReceiver(endpoint, memory, messages, new MessagePattern(2 * i + 1 - side))));
        }
    }

    private Fabric withFaults(Fabric udp, FaultPlan weather, SimRuntime runtime) {
        FaultyFabric faulty = new FaultyFabric(udp, FaultPlan.none(), runtime);
        faulty.add(LossLedger.keep(weather, FIRST_PSN, books));
        faults.add(faulty);
        return faulty;
    }

    /** Returns the data that the peer needs: the port and the numbers of the queue pairs. */
    String self() {
        StringBuilder text =
                new StringBuilder("" + lab.udp().endpoint(place.gid(side)).getPort());
        links.forEach(link -> text.append(' ').append(link.endpoint.qp().number()));
        return text.toString();
    }

    /** Connects to the peer with this data; its packets may arrive from now on. */
    void connect(String peer) throws VerbsException {
        String[] words = peer.split(" ", -1);
        int other = 1 - side;
        lab.udp()
                .endpoint(
                        place.gid(other),
                        new InetSocketAddress(place.anyPort(other).getAddress(), Integer.parseInt(words[0])));
        for (int i = 0; i < links.size(); i++) {
            Link link = links.get(i);
            link.peer = Integer.parseInt(words[1 + i]);
            Connection.USUAL
                    .mtu(PathMtu.MTU_4096)
                    .psns(FIRST_PSN, FIRST_PSN)
                    .timeout(TIMEOUT, RETRIES)
                    .rnr(RnrRetryCount.FOREVER, RnrTimer.ofCode(1))
                    .apply(link.endpoint.qp(), place.gid(other), link.peer);
            link.receiver.step();
        }
    }

    /**
     * Sends and receives until on every connection all messages have arrived, or one of its queue pairs has failed.
     *
     * @param onFailure gets each connection that failed here
     * @param peerFailures returns the connections that failed at the peer, one after the other; null for none, or none
     *     yet
     */
    boolean run(Duration timeout, IntConsumer onFailure, Supplier<@Nullable Integer> peerFailures) {
        return lab.lab()
                .until(
                        () -> {
                            for (Integer i = peerFailures.get(); i != null; i = peerFailures.get()) {
                                links.get(i).peerFailed = true;
                            }
                            boolean all = true;
                            for (int i = 0; i < links.size(); i++) {
                                all &= step(links.get(i), i, onFailure);
                            }
                            return all;
                        },
                        timeout);
    }

    private static boolean step(Link link, int index, IntConsumer onFailure) {
        boolean sent = link.sender.step();
        boolean received = link.receiver.step();
        if (link.hasFailed() && !link.reported) {
            link.reported = true;
            onFailure.accept(index);
        }
        return (sent && received) || link.hasFailed() || link.peerFailed;
    }

    /** Returns the counts of this side. */
    Outcome outcome() {
        FaultyFabric faulty = faults.getFirst();
        int received = 0;
        int wrong = 0;
        for (Link link : links) {
            // The queue pair may have failed after sends were polled and before receives were.
            link.sender.step();
            received += link.receiver.received();
            wrong += link.sender.failures().size() + link.receiver.failures().size();
        }
        return new Outcome(
                received,
                wrong,
                node.count(Counter.SENT_PKTS),
                node.count(Counter.RETRANSMITTED_PKTS),
                node.count(Counter.DROPPED_ICRC),
                faulty.count(FaultKind.DROP),
                faulty.count(FaultKind.DELAY),
                faulty.count(FaultKind.DUPLICATE),
                faulty.count(FaultKind.CORRUPT));
    }

    /** Returns the outcome of sending on each connection, with the account of its packets. */
    List<End> ends() {
        return links.stream()
                .map(link -> new End(
                        String.valueOf(link.sender.failedWith()), LossLedger.account(books, link.peer, FIRST_PSN)))
                .toList();
    }

    @Override
    public void close() {
        lab.close();
    }

    /**
     * The outcome of sending on one connection.
     *
     * @param status the status of the first failed send, {@code null} if none failed
     * @param account the account of its packets
     */
    record End(String status, LossLedger.Account account) {
        boolean succeeded() {
            return status.equals("null");
        }

        /** Returns whether the connection failed because its retries were used up by losses. */
        boolean failedByLosses(End other) {
            return status.equals("RETRY_EXC_ERR") && account.trulySpent(RETRIES, other.account);
        }

        static String format(List<End> ends) {
            StringBuilder text = new StringBuilder();
            ends.forEach(end -> text.append(end.status)
                    .append(' ')
                    .append(end.account.format())
                    .append(' '));
            return text.toString().strip();
        }

        static List<End> parse(String line) {
            List<String> words = List.of(line.split(" ", -1));
            List<End> ends = new ArrayList<>();
            for (int at = 0; at < words.size(); at += 1 + LossLedger.Account.WORDS) {
                ends.add(new End(
                        words.get(at),
                        LossLedger.Account.parse(words.subList(at + 1, at + 1 + LossLedger.Account.WORDS))));
            }
            return ends;
        }
    }

    /**
     * The counts of one side.
     *
     * @param received messages received
     * @param wrong messages that were altered or out of order
     * @param sent packets
     * @param retransmitted packets
     * @param badIcrc packets that arrived damaged
     * @param dropped packets that the link dropped
     * @param delayed packets that the link delivered late
     * @param duplicated packets that the link delivered twice
     * @param corrupted packets that the link damaged
     */
    record Outcome(
            int received,
            int wrong,
            long sent,
            long retransmitted,
            long badIcrc,
            long dropped,
            long delayed,
            long duplicated,
            long corrupted) {

        String format() {
            return String.join(
                    " ",
                    List.of(
                            "" + received,
                            "" + wrong,
                            "" + sent,
                            "" + retransmitted,
                            "" + badIcrc,
                            "" + dropped,
                            "" + delayed,
                            "" + duplicated,
                            "" + corrupted));
        }

        static Outcome parse(String line) {
            long[] numbers = List.of(line.split(" ", -1)).stream()
                    .mapToLong(Long::parseLong)
                    .toArray();
            return new Outcome(
                    (int) numbers[0],
                    (int) numbers[1],
                    numbers[2],
                    numbers[3],
                    numbers[4],
                    numbers[5],
                    numbers[6],
                    numbers[7],
                    numbers[8]);
        }
    }
}
