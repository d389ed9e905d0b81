// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Engines that send MADs to each other over a bad link, in virtual time. */
final class CmNetwork {
    static final int ACK_DELAY = 15;

    /** The quality of the link. Chances are in percent. */
    record Weather(int loss, int duplication, Duration latency, Duration jitter) {
        static final Weather FINE = new Weather(0, 0, Duration.ofMillis(1), Duration.ZERO);
    }

    /** An event at a time: a MAD that arrives, or an action. */
    private record Happening(long time, long order, Runnable what) {}

    private final SplittableRandom random;
    private final PriorityQueue<Happening> happenings =
            new PriorityQueue<>(Comparator.comparingLong(Happening::time).thenComparingLong(Happening::order));
    private final Map<Gid, Node> nodes = new LinkedHashMap<>();
    private Weather weather = Weather.FINE;
    private Predicate<MadHeader> lost = mad -> false;
    private long order;
    private long now;

    CmNetwork(long seed) {
        random = new SplittableRandom(seed);
    }

    void weather(Weather newWeather) {
        weather = newWeather;
    }

    /** Drops the MADs that match the predicate, in addition to random losses. */
    void lose(Predicate<MadHeader> newLost) {
        lost = newLost;
    }

    void lose(CmAttribute message) {
        lose(mad -> mad.get(MadHeader.ATTRIBUTE_ID) == message.id());
    }

    long now() {
        return now;
    }

    SplittableRandom random() {
        return random;
    }

    Node node(String address, long guid) {
        return node(address, guid, random.split());
    }

    /** Makes a node with the first communication id after a given one. */
    Node node(String address, long guid, int beforeFirstId) {
        return node(address, guid, new ListedRandom().then(beforeFirstId));
    }

    private Node node(String address, long guid, RandomGenerator own) {
        Node node = new Node(Gid.parse(address), guid, own);
        nodes.put(node.gid, node);
        return node;
    }

    void after(Duration delay, Runnable what) {
        happenings.add(new Happening(now + delay.toNanos(), order++, what));
    }

    /** Runs all events within a time, and advances the clock by it. */
    void run(Duration duration) {
        long end = now + duration.toNanos();
        while (true) {
            Node first = null;
            for (Node node : nodes.values()) {
                if (node.wakeAt != CmOutput.NEVER && (first == null || node.wakeAt < first.wakeAt)) {
                    first = node;
                }
            }
            Happening next = happenings.peek();
            long nextTime = next == null ? CmOutput.NEVER : next.time();
            long wake = first == null ? CmOutput.NEVER : first.wakeAt;
            if (Math.min(nextTime, wake) > end) {
                now = end;
                return;
            }
            if (next != null && nextTime <= wake) {
                happenings.remove();
                now = Math.max(now, nextTime);
                next.what().run();
            } else {
                now = Math.max(now, wake);
                Objects.requireNonNull(first).wake();
            }
        }
    }

    private void carry(Gid source, Gid destination, MemorySegment mad) {
        if (lost.test(new MadHeader().wrap(mad, 0)) || random.nextInt(100) < weather.loss()) {
            return;
        }
        deliver(source, destination, mad);
        if (random.nextInt(100) < weather.duplication()) {
            deliver(source, destination, mad);
        }
    }

    private void deliver(Gid source, Gid destination, MemorySegment mad) {
        long jitter = weather.jitter().toNanos();
        Duration delay = weather.latency().plusNanos(jitter == 0 ? 0 : random.nextLong(jitter));
        after(delay, () -> {
            Node node = nodes.get(destination);
            if (node != null) {
                node.engine.onMad(source, destination, mad, now);
            }
        });
    }

    /** An indication that an endpoint received. */
    record Told(long time, CmConnection connection, CmIndication indication) {
        CmIndication.Kind kind() {
            return indication.kind();
        }
    }

    /** A MAD that was sent. */
    record Sent(long time, MemorySegment mad) {
        CmAttribute message() {
            return Objects.requireNonNull(
                    CmAttribute.of(new MadHeader().wrap(mad, 0).get(MadHeader.ATTRIBUTE_ID)));
        }
    }

    /** The reaction of a user to an indication. */
    @FunctionalInterface
    interface User {
        void on(CmConnection connection, CmIndication indication);
    }

    /** An engine, with the MADs it sent and the indications of its users. */
    final class Node implements CmOutput, CmEndpoint, SidrEndpoint {
        final Gid gid;
        final CmCounters counters = new CmCounters();
        final CmEngine engine;
        final List<Told> told = new ArrayList<>();
        final List<Sent> sent = new ArrayList<>();
        User user = (connection, indication) -> {};
        final List<ReceivedSidrRequest> sidrRequests = new ArrayList<>();
        final List<Integer> repliedQpns = new ArrayList<>();
        Consumer<ReceivedSidrRequest> onSidrRequest = request -> {};
        boolean takesRequests = true;
        private @Nullable CmListener connections;
        private @Nullable CmListener datagrams;
        private long wakeAt = NEVER;

        private Node(Gid gid, long guid, RandomGenerator own) {
            this.gid = gid;
            this.engine = new CmEngine(guid, ACK_DELAY, PathMtu.MTU_1024, own, this, counters);
        }

        /** Takes a request's event for the user. */
        private void take(@Nullable CmListener listener) {
            if (takesRequests) {
                Objects.requireNonNull(listener).requestTaken();
            }
        }

        /** Listens on a port of TCP. */
        CmListener listen(int port, int backlog) {
            CmListener listener =
                    new CmListener(Requests.serviceId(port), gid, true, backlog, new CmService.Connections(this));
            engine.addListener(listener);
            connections = listener;
            return listener;
        }

        /** Offers a queue pair for datagrams on a port of UDP. */
        void listenForDatagrams(int port, int backlog) {
            long serviceId = PortSpace.UDP.serviceId(port);
            datagrams = new CmListener(serviceId, gid, true, backlog, new CmService.Datagrams(this::onRequest));
            engine.addListener(datagrams);
        }

        SentSidrRequest requestQueuePair(Node peer, int port) {
            return requestQueuePair(peer, port, Requests.SOURCE_PORT);
        }

        SentSidrRequest requestQueuePair(Node peer, int port, int sourcePort) {
            SidrRequestParameters parameters = new SidrRequestParameters(
                    PortSpace.UDP.serviceId(port), gid, sourcePort, peer.gid, Bytes.ascii("who?"));
            return engine.sidr().sendRequest(parameters, this, now);
        }

        private void onRequest(ReceivedSidrRequest request) {
            sidrRequests.add(request);
            after(Duration.ZERO, () -> {
                take(datagrams);
                onSidrRequest.accept(request);
            });
        }

        @Override
        public void onReply(SentSidrRequest request, SidrReplyParameters reply) {
            repliedQpns.add(reply.qpn());
        }

        @Override
        public void onTimeout(SentSidrRequest request) {
            repliedQpns.add(-1);
        }

        CmConnection connect(Node peer, int port, int qpn) {
            return engine.connect(Requests.request(gid, peer.gid, port, qpn), this, now);
        }

        List<CmIndication.Kind> kinds(CmConnection connection) {
            return told.stream()
                    .filter(each -> each.connection() == connection)
                    .map(Told::kind)
                    .toList();
        }

        List<CmAttribute> messages() {
            return sent.stream().map(Sent::message).toList();
        }

        Told last() {
            return told.getLast();
        }

        CmStatistics statistics() {
            return counters.snapshot();
        }

        private void wake() {
            // Like an alarm: it must be set again for each expiry.
            wakeAt = NEVER;
            engine.onTime(now);
        }

        @Override
        public void send(Gid source, Gid destination, MemorySegment mad) {
            sent.add(new Sent(now, mad));
            carry(source, destination, mad);
        }

        @Override
        public void wakeAt(long nanoTime) {
            wakeAt = nanoTime;
        }

        @Override
        public void onIndication(CmConnection connection, CmIndication indication) {
            told.add(new Told(now, connection, indication));
            if (indication.kind() == CmIndication.Kind.REQUESTED) {
                connection.setOwner(this);
            }
            // The engine must not be called from inside; a user reacts afterwards.
            after(Duration.ZERO, () -> {
                if (indication.kind() == CmIndication.Kind.REQUESTED) {
                    take(connections);
                }
                user.on(connection, indication);
            });
        }
    }
}
