// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetHeaders;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.WireHandle;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A peer connects as a node does, and then writes with every key and address that it knows. It changes no byte of the
 * node's memory, except in the sink of a transfer that has not ended.
 */
class UngrantedMemoryTest {

    private static final int KEY_BYTES = 256;
    private static final int SINK = 6000;
    private static final int CONNECTIONS = Integer.getInteger("verbena.lnd.ungranted", 10_000);
    private static final byte[] INTRUSION = "not granted".getBytes(StandardCharsets.US_ASCII);
    private static final Duration BEYOND_EVERY_TIMEOUT = Duration.ofMinutes(3);

    /** The ends of a transfer with a sink that the peer may write to. */
    enum Ending {
        DONE,
        FAILED,
        TIMED_OUT,
        DISCONNECTED
    }

    /** A sink, as a message of the node described it to the peer. */
    private record Granted(int key, long address) {}

    private final List<LnetEvent> events = new ArrayList<>();

    /** The kinds that grant one transfer only, and are used by default; a user has to choose the others. */
    static Stream<RegistrationKind> kinds() {
        return Arrays.stream(RegistrationKind.values())
                .filter(kind -> kind != RegistrationKind.REGION_CACHE && kind != RegistrationKind.GLOBAL_REGION);
    }

    static Stream<Arguments> endings() {
        return kinds().flatMap(kind -> Arrays.stream(Ending.values())
                .flatMap(ending -> Stream.of(MessageType.PUT_ACK, MessageType.GET_REQ)
                        .map(grant -> Arguments.of(kind, ending, grant))));
    }

    private static Lab lab(RegistrationKind kind, long seed) throws VerbsException {
        return new Lab(seed, DeviceProfile.specification(), LeakDetection.COUNTED)
                .registering(RegistrationTunables.defaults().withKind(kind));
    }

    private static LnetNode start(Lab lab) throws VerbsException {
        return lab.start(1, lab.tunables().memory(4L << 20).build());
    }

    /** Writes over a connection and expects that the node's memory stays as it is. */
    private static void intrude(LnetNode node, RawPeer peer, long address, int key) {
        MemorySegment memory = node.ni().memory().segment();
        MemorySegment before = MemorySegment.ofArray(memory.toArray(ValueLayout.JAVA_BYTE));
        peer.write(INTRUSION, address, key);
        assertThat(memory.mismatch(before))
                .as("byte written at 0x%x with key 0x%x", address, key)
                .isEqualTo(-1);
    }

    /** The same over a connection of its own, as a write that is refused ends the connection. */
    private static void intrude(Lab lab, LnetNode node, long address, int key) throws VerbsException {
        try (RawPeer peer = new RawPeer(lab, 3)) {
            peer.connectProperly(node);
            intrude(node, peer, address, key);
        }
    }

    /** With the right address, which a peer could only guess, the region's rights alone keep the peer out. */
    @ParameterizedTest
    @MethodSource("kinds")
    void theNodesOwnRegionGrantsNothingByAnyKey(RegistrationKind kind) throws VerbsException {
        try (Lab lab = lab(kind, 77)) {
            LnetNode node = start(lab);
            LnetNode other = lab.start(2);
            exchange(lab, other, node);
            long base = node.ni().memory().region().address();
            int key = node.ni().memory().region().rkey();
            long kept = node.ni().memory().offsetOf(node.allocate(4096));
            long receiveBuffer = DriverParts.allPeers(node)
                    .getFirst()
                    .connections()
                    .getFirst()
                    .endpoint()
                    .buffers()[0];
            long messageBuffer =
                    node.ni().hca().partitions().getFirst().transmits().get(0).offset();
            for (long offset : new long[] {kept, receiveBuffer, messageBuffer}) {
                intrude(lab, node, base + offset, key);
            }
            for (int low = 0; low < KEY_BYTES; low++) {
                intrude(lab, node, base + kept, (key & -KEY_BYTES) | low);
                intrude(lab, node, (1L << 32) + kept, (key & -KEY_BYTES) | low);
            }
        }
    }

    private void exchange(Lab lab, LnetNode from, LnetNode to) {
        events.clear();
        Lab.serve(to, lab.memory(100, 1), events, MdOption.OP_PUT);
        from.put(Lab.active(lab.memory(100, 2), 2, events), true, to.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> events.size() == 3, BEYOND_EVERY_TIMEOUT)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("endings")
    void aKeyDiesWithItsTransferHoweverThatEnds(RegistrationKind kind, Ending ending, MessageType grant)
            throws VerbsException {
        try (Lab lab = lab(kind, 5)) {
            LnetNode node = start(lab);
            RawPeer peer = new RawPeer(lab, 3);
            Granted granted = new Granted(0, 0);
            try {
                long stamp = peer.connectProperly(node);
                LndMessage told = open(lab, node, node.allocate(SINK), peer, stamp, grant);
                granted = new Granted(told.descriptor().key(), told.descriptor().fragmentAddress(0));
                end(lab, node, peer, stamp, told, ending);
                if (!peer.isDisconnected() && ending != Ending.DISCONNECTED) {
                    intrude(node, peer, granted.address, granted.key);
                }
            } finally {
                if (ending != Ending.DISCONNECTED) {
                    peer.close();
                }
            }
            assertThat(node.statistics().registration().inUse()).isZero();
            for (int key = granted.key - 3; key <= granted.key + 3; key++) {
                intrude(lab, node, granted.address, key);
            }
        }
    }

    /** Has the node grant a sink, to a PUT of the peer or by a GET of its own. */
    private LndMessage open(Lab lab, LnetNode node, MemorySegment sink, RawPeer peer, long stamp, MessageType grant) {
        int before = peer.received().size();
        if (grant == MessageType.GET_REQ) {
            node.get(Lab.active(sink, 2, events), ProcessId.of(peer.nid()), Lab.PORTAL, Lab.BITS, 0);
        } else {
            node.attach(
                    MatchEntry.on(Lab.PORTAL).matchBits(Lab.BITS).build(),
                    MemoryDescriptor.over(sink)
                            .options(MdOption.OP_PUT)
                            .threshold(1)
                            .handler(events::add)
                            .build());
            peer.send(peer.message(MessageType.PUT_REQ, node, stamp, message -> {
                LnetHeaders.rewrite(
                        LnetHeaders.put(
                                ProcessId.of(peer.nid()), node.id(), SINK, WireHandle.NONE, Lab.PORTAL, Lab.BITS, 0, 0),
                        message.lnetHeader());
                message.requestCookie(1);
            }));
        }
        assertThat(lab.await(() -> peer.received().size() > before, BEYOND_EVERY_TIMEOUT))
                .isTrue();
        LndMessage told = peer.received().getLast();
        assertThat(told.type()).isEqualTo(grant);
        return told;
    }

    private static void end(Lab lab, LnetNode node, RawPeer peer, long stamp, LndMessage told, Ending ending)
            throws VerbsException {
        switch (ending) {
            case DONE -> answer(node, peer, stamp, told, SINK);
            case FAILED -> answer(node, peer, stamp, told, -5);
            case TIMED_OUT -> lab.pass(BEYOND_EVERY_TIMEOUT);
            case DISCONNECTED -> {
                peer.close();
                lab.pass(BEYOND_EVERY_TIMEOUT);
            }
        }
    }

    private static void answer(LnetNode node, RawPeer peer, long stamp, LndMessage told, int status) {
        boolean get = told.type() == MessageType.GET_REQ;
        long cookie = get ? told.requestCookie() : told.sinkCookie();
        peer.send(peer.message(
                get ? MessageType.GET_DONE : MessageType.PUT_DONE,
                node,
                stamp,
                message -> message.completion().set(cookie, status)));
    }

    /**
     * A peer that knows the address of the node's region, and has had grants of its own, tries many keys. Another peer
     * has a grant all the time, and its memory must not be written either.
     */
    private void flood(RegistrationKind kind, int connections, long seed) throws VerbsException {
        Random random = new Random(seed);
        try (Lab lab = lab(kind, seed);
                RawPeer bystander = new RawPeer(lab, 2)) {
            O2ibTunables patient =
                    lab.tunables().memory(4L << 20).timeout(Duration.ofDays(1)).build();
            LnetNode node = lab.start(1, patient);
            long stampThere = bystander.connectProperly(node);
            open(lab, node, node.allocate(SINK), bystander, stampThere, MessageType.PUT_ACK);
            long base = node.ni().memory().region().address();
            List<Granted> learned = new ArrayList<>();
            learned.add(new Granted(node.ni().memory().region().rkey(), base));
            for (int i = 0; i < connections; i++) {
                try (RawPeer peer = new RawPeer(lab, 3)) {
                    long stamp = peer.connectProperly(node);
                    if (random.nextInt(4) == 0) {
                        MemorySegment sink = node.allocate(SINK);
                        LndMessage told = open(lab, node, sink, peer, stamp, MessageType.PUT_ACK);
                        learned.add(new Granted(
                                told.descriptor().key(), told.descriptor().fragmentAddress(0)));
                        answer(node, peer, stamp, told, SINK);
                        node.free(sink);
                    }
                    int key = learned.get(random.nextInt(learned.size())).key;
                    long address = learned.get(random.nextInt(learned.size())).address;
                    long page = 4096L * random.nextInt(1024);
                    intrude(
                            node,
                            peer,
                            switch (random.nextInt(5)) {
                                case 0 -> address;
                                case 1 -> base + page;
                                case 2 -> page;
                                case 3 -> (1L << 32) + page;
                                default -> address + page - 2048L * 1024;
                            },
                            switch (random.nextInt(4)) {
                                case 0 -> key;
                                case 1 -> key ^ random.nextInt(KEY_BYTES);
                                case 2 -> (((key >>> 8) - 1) << 8) | random.nextInt(KEY_BYTES);
                                default -> ((1 + random.nextInt(8)) << 8) | random.nextInt(KEY_BYTES);
                            });
                }
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(kind + " with seed " + seed, e);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void nothingIsWrittenThroughKeysThatWereGuessed(RegistrationKind kind) throws VerbsException {
        flood(kind, 50, 1);
    }

    /** Prints its size; {@code -Dverbena.lnd.ungranted} changes it. */
    @Test
    @Tag("sweep")
    void nothingIsWrittenThroughKeysThatWereGuessedOverManyConnections() throws VerbsException {
        long seed = System.nanoTime();
        System.out.println("connections: " + CONNECTIONS + ", seed " + seed);
        for (RegistrationKind kind : kinds().toList()) {
            flood(kind, (int) (CONNECTIONS / kinds().count()), seed);
        }
    }
}
