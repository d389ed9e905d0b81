// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.RejectReason;
import dev.verbena.lnd.wire.CaptureReader;
import dev.verbena.lnd.wire.Captures;
import dev.verbena.lnd.wire.Captures.Carrier;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RejectData;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replays a captured conversation of two real nodes with this project's node in place of one. The node has the real
 * node's NID, incarnation and parameters, and its users start the same operations. It receives the captured messages of
 * the other node. The messages that it sends are compared byte for byte; only the fields of {@link ReplayNames} may
 * differ.
 *
 * <p>A capture has the order of the messages on the wire, but not the time at which a node handled them. The returned
 * credits show that time, since each emptied buffer is one credit. So the node gets a message when the real node's
 * credits show that it had handled the message, or when the next message depends on it.
 */
final class CaptureReplay implements AutoCloseable {

    private static final int NETWORK = 77 << 16;
    private static final int CHECKSUM = 12;
    private static final int PORT = 47;
    private static final int HIGHEST_PRIVILEGED = 1023;
    private static final Duration MOMENT = Duration.ofMillis(10);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration EARLIER = Duration.ofSeconds(20);

    private final ReplayCase replayed;
    private final int host;
    private final List<Captures.Message> script;
    private final CaptureReader seen = new CaptureReader("our node");
    private final Lab lab;
    private final ReplayPeer peer;
    private final ReplayUsers users;
    private final ReplayNames names = new ReplayNames();
    private final Deque<Captures.Message> pending = new ArrayDeque<>();
    /** Connections of the replay by those of the capture. */
    private final Map<Integer, Integer> connections = new HashMap<>();

    private final Map<Integer, Integer> creditsGiven = new HashMap<>();
    private final Map<Integer, Integer> creditsEarned = new HashMap<>();
    private final Set<Integer> started = new HashSet<>();
    private int underWay;
    private @Nullable LnetNode node;
    private long stamp;
    private int looked;
    private int compared;

    CaptureReplay(ReplayCase replayed) throws VerbsException {
        this.replayed = replayed;
        host = replayed.host();
        script = replayed.script();
        lab = new Lab(1, DeviceProfile.specification(), LeakDetection.TRACED, this::onPacket);
        peer = new ReplayPeer(lab, NETWORK + replayed.otherHost(), replayed.peerListens());
        users = new ReplayUsers(lab, host, script);
    }

    private void onPacket(long time, String link, SimPacket packet) {
        byte[] copy = packet.segment().asSlice(0, packet.length()).toArray(ValueLayout.JAVA_BYTE);
        seen.packet(ByteBuffer.wrap(copy), false);
    }

    /** Reads a message, also if its sum is wrong. */
    static LndMessage parse(byte[] bytes) {
        LndMessage message = new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
        MessageDefect defect = message.parse(bytes.length);
        if (defect == MessageDefect.BAD_CHECKSUM) {
            byte[] copy = bytes.clone();
            Arrays.fill(copy, CHECKSUM, CHECKSUM + Integer.BYTES, (byte) 0);
            return parse(copy);
        }
        assertThat(defect).isEqualTo(MessageDefect.NONE);
        return message;
    }

    /** Plays the whole file; returns how many messages of our node were compared. */
    int play() throws VerbsException {
        meetBefore();
        for (Captures.Message message : script) {
            if (message.from() == host) {
                expect(message);
            } else {
                pending.add(message);
            }
        }
        if (!replayed.endMissing()) {
            while (deliver()) {
                assertThat(next()).as("what the real node did not say").isNull();
            }
            users.verify();
        }
        return compared;
    }

    /** A connection that ends in the file began before it. */
    private void meetBefore() throws VerbsException {
        Captures.Message first = script.getFirst();
        boolean ends = first.carrier() == Carrier.CM_DREQ
                || script.stream()
                        .anyMatch(message -> message.from() == host
                                && message.carrier() == Carrier.CM_DREQ
                                && message.connection() == CaptureReader.UNKNOWN);
        if (ends) {
            long known = script.stream()
                    .filter(message -> message.from() == host)
                    .mapToLong(CaptureReplay::stampOf)
                    .filter(value -> value != 0)
                    .findFirst()
                    .orElseThrow();
            boolean comesBack = first.from() == host;
            be(comesBack ? known - ChronoUnit.MICROS.between(Instant.EPOCH, Instant.EPOCH.plus(EARLIER)) : known);
            byte[] request = new byte[MessageType.CONNREQ.minimumLength()];
            LndMessage message =
                    new LndMessage().wrap(MemorySegment.ofArray(request), 0).begin(MessageType.CONNREQ);
            message.header()
                    .sourceNid(Lab.nid(NETWORK + replayed.otherHost()))
                    .sourceStamp(1)
                    .destinationNid(Lab.nid(NETWORK + host));
            message.connParams().set(8, 257, 4096);
            peer.connect(CaptureReader.UNKNOWN, NETWORK + host, replayed.peerPort(), request);
            lab.pass(MOMENT);
            connections.put(CaptureReader.UNKNOWN, 0);
            looked = seen.messages().size();
        }
    }

    /** Returns the sender's incarnation in a message; 0 if none. */
    private static long stampOf(Captures.Message message) {
        return switch (message.carrier()) {
            case SEND -> parse(message.bytes()).header().sourceStamp();
            case CM_REQ, CM_REP -> parse(message.bytes()).header().sourceStamp();
            case CM_REJ -> {
                RejectData data = new RejectData();
                data.parse(MemorySegment.ofArray(message.bytes()), 0, message.bytes().length);
                yield message.rejectReason() == RejectReason.CONSUMER_DEFINED.code() ? data.incarnation() : 0;
            }
            case WRITE, CM_DREQ -> 0;
        };
    }

    /** Starts the node with an incarnation. A node of another incarnation is stopped first, without checks. */
    private void be(long incarnation) throws VerbsException {
        if (node == null || (incarnation != 0 && incarnation != stamp)) {
            end();
            if (incarnation != 0) {
                Instant birth = Instant.EPOCH.plus(incarnation, ChronoUnit.MICROS);
                lab.pass(Duration.between(lab.runtime().now(), birth));
            }
            stamp = incarnation;
            node = lab.start(lab.manager(), NETWORK + host, replayed.tunables());
            underWay = 0;
            looked = seen.messages().size();
        }
    }

    private void end() throws VerbsException {
        if (node != null) {
            lab.close(node);
            node = null;
        }
    }

    /** Returns the next message of the node that was not compared yet. */
    private Captures.@Nullable Message next() {
        peer.poll();
        while (looked < seen.messages().size()) {
            Captures.Message message = seen.messages().get(looked);
            if (message.from() == host) {
                return message;
            }
            looked++;
        }
        return null;
    }

    private void expect(Captures.Message real) throws VerbsException {
        boolean nobodyListens =
                real.carrier() == Carrier.CM_REJ && real.rejectReason() == RejectReason.INVALID_SERVICE_ID.code();
        if (!nobodyListens && real.carrier() != Carrier.CM_DREQ) {
            be(stampOf(real));
        }
        catchUp(real);
        if (replayed.peerIsDead(real.frame())) {
            lab.fabric().silence("sim" + (replayed.otherHost() == 1 ? 6 : replayed.otherHost() + 2));
        }
        start(real);
        while (!lab.await(() -> next() != null, MOMENT) && deliver()) {}
        if (next() == null && real.carrier() == Carrier.CM_DREQ && !replayed.peerIsDead(real.frame())) {
            end();
        }
        lab.await(() -> next() != null, LONG);
        Captures.Message ours = next();
        assertThat(ours).as("%s of %s", real, replayed).isNotNull();
        looked++;
        compared++;
        compare(real, Objects.requireNonNull(ours));
    }

    /** Lets the node handle as many messages as the real node had, by the credits that it returned. */
    private void catchUp(Captures.Message real) throws VerbsException {
        while (!pending.isEmpty() && pending.getFirst().carrier() == Carrier.CM_DREQ && deliver()) {}
        if (real.carrier() == Carrier.SEND) {
            int connection = real.connection();
            int given =
                    creditsGiven.merge(connection, parse(real.bytes()).header().credits(), Integer::sum);
            while (creditsEarned.getOrDefault(connection, 0) < given && next() == null && deliver()) {}
        }
    }

    /** Starts the operation of a message; for a connection request, that of the first message on the connection. */
    private void start(Captures.Message real) {
        if (real.carrier() == Carrier.CM_REQ && underWay == 0) {
            script.stream()
                    .filter(later -> later.frame() > real.frame())
                    .filter(this::isOperation)
                    .findFirst()
                    .ifPresentOrElse(this::startOperation, this::ping);
        } else if (isOperation(real)) {
            startOperation(real);
            underWay--;
        }
    }

    /** An operation that did not get as far as the wire. */
    private void ping() {
        users.ping(Objects.requireNonNull(node), Lab.nid(NETWORK + replayed.otherHost()));
        underWay++;
    }

    private boolean isOperation(Captures.Message message) {
        return message.from() == host
                && message.carrier() == Carrier.SEND
                && ReplayUsers.isOperation(parse(message.bytes()));
    }

    private void startOperation(Captures.Message message) {
        if (started.add(message.frame())) {
            users.start(Objects.requireNonNull(node), message, parse(message.bytes()));
            underWay++;
        }
    }

    private void compare(Captures.Message real, Captures.Message ours) {
        assertThat(ours.carrier()).as("%s of %s", real, replayed).isEqualTo(real.carrier());
        assertThat(connections.computeIfAbsent(real.connection(), key -> ours.connection()))
                .as("connection of %s", real)
                .isEqualTo(ours.connection());
        switch (real.carrier()) {
            case SEND -> compareMessages(real, ours);
            case WRITE -> {
                Captures.Write write = Objects.requireNonNull(real.write());
                assertThat(ours.write()).as("%s", real).isEqualTo(names.whereIs(write));
                assertThat(Arrays.copyOf(ours.bytes(), real.bytes().length))
                        .as("%s", real)
                        .isEqualTo(real.bytes());
            }
            case CM_REQ -> {
                assertThat(ours.bytes()).as("%s", real).isEqualTo(real.bytes());
                assertThat(terms(ours)).as("terms of %s", real).isEqualTo(terms(real));
                peer.claim(real.connection());
            }
            case CM_REP, CM_REJ, CM_DREQ -> {
                assertThat(ours.rejectReason()).as("%s", real).isEqualTo(real.rejectReason());
                assertThat(terms(ours)).as("terms of %s", real).isEqualTo(terms(real));
                assertThat(ours.bytes()).as("%s", real).isEqualTo(real.bytes());
            }
        }
    }

    /** Returns the requested terms of a connection. All unprivileged ports count as equal. */
    private static byte[] terms(Captures.Message message) {
        byte[] terms = message.terms().clone();
        if (message.carrier() == Carrier.CM_REQ && ByteBuffer.wrap(terms).getChar(PORT) > HIGHEST_PRIVILEGED) {
            Arrays.fill(terms, PORT, PORT + Short.BYTES, (byte) 0);
        }
        return terms;
    }

    private void compareMessages(Captures.Message real, Captures.Message ours) {
        LndMessage expected = parse(real.bytes());
        LndMessage actual = parse(ours.bytes());
        assertThat(actual.type()).as("%s", real).isEqualTo(expected.type());
        names.learn(expected, actual, ours.bytes());
        byte[] wanted = Arrays.copyOf(real.bytes(), (int) expected.header().length());
        byte[] renamed = ReplayNames.renamed(ours.bytes(), actual, wanted);
        if (replayed.hasWrongSum(real)) {
            System.arraycopy(renamed, CHECKSUM, wanted, CHECKSUM, Integer.BYTES);
        }
        assertThat(renamed).as("%s: %s, ours %s", real, expected, actual).isEqualTo(wanted);
    }

    /** Executes the peer's next action; returns false after the last one. */
    private boolean deliver() throws VerbsException {
        Captures.@Nullable Message message = pending.poll();
        if (message == null) {
            return false;
        }
        int connection = message.connection();
        switch (message.carrier()) {
            case SEND -> tell(message, message.bytes().clone());
            case WRITE ->
                peer.write(connection, names.whereIs(Objects.requireNonNull(message.write())), message.bytes());
            case CM_REQ -> {
                byte[] request = Arrays.copyOf(message.bytes(), MessageType.CONNREQ.minimumLength());
                peer.connect(connection, NETWORK + host, replayed.peerPort(), request);
                connections.put(connection, seen.messages().getLast().connection());
            }
            case CM_REP -> peer.accept(connection, Arrays.copyOf(message.bytes(), MessageType.CONNACK.minimumLength()));
            case CM_REJ -> {
                if (message.rejectReason() == RejectReason.CONSUMER_DEFINED.code()) {
                    peer.reject(connection, Arrays.copyOf(message.bytes(), RejectData.LENGTH));
                }
            }
            case CM_DREQ -> peer.disconnect(connection);
        }
        lab.pass(MOMENT);
        return true;
    }

    private void tell(Captures.Message captured, byte[] bytes) {
        LndMessage message = parse(bytes);
        int connection = captured.connection();
        switch (message.type()) {
            case IMMEDIATE, PUT_REQ, GET_REQ -> users.offer(Objects.requireNonNull(node), captured, message);
            default -> {}
        }
        switch (message.type()) {
            case IMMEDIATE, GET_REQ, PUT_DONE -> creditsEarned.merge(connection, 1, Integer::sum);
            default -> {}
        }
        names.translate(message, bytes, length -> peer.sink(connection, length));
        peer.send(connection, bytes);
    }

    @Override
    public void close() throws VerbsException {
        end();
        peer.close();
        lab.close();
    }
}
