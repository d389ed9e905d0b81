// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.CmEventType;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageHeader;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetHeaders;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.WireHandle;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A peer that connects again and again and sends messages and requests with some bytes changed: at worst its own
 * connection ends. Other peers are served, and ungranted memory keeps its content.
 */
class HostileFloodTest {

    private static final int MESSAGES = Integer.getInteger("verbena.lnd.flood", 1_000_000);
    private static final int PER_CONNECTION = 64;
    private static final int TYPE = 6;
    private static final int GRANTED = 6000;
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Random random = new Random(77);
    private final List<LnetEvent> events = new ArrayList<>();
    private long sent;
    private long requests;
    private long closed;
    private long writes;

    /** The required fate of a connection that received a spoilt message. */
    private enum Fate {
        CLOSES,
        STAYS,
        EITHER
    }

    private void flood(long count) throws VerbsException {
        try (Lab lab = new Lab(77, DeviceProfile.specification(), LeakDetection.COUNTED)) {
            LnetNode node = lab.start(1);
            LnetNode bystander = lab.start(2);
            MemorySegment secret = node.allocate(1 << 20);
            Lab.fill(secret, 1);
            MemorySegment granted = node.allocate(GRANTED);
            MemorySegment behind = node.allocate(1 << 16);
            Lab.fill(behind, 2);
            node.attach(
                    MatchEntry.on(Lab.PORTAL).matchBits(Lab.BITS).build(),
                    MemoryDescriptor.over(granted)
                            .options(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                            .build());
            MemorySegment before = lab.memory(secret.byteSize(), 1);
            for (int round = 0; sent + requests < count; round++) {
                connection(lab, node, count);
                if (round % 100 == 0) {
                    assertServed(lab, bystander, node);
                }
            }
            assertServed(lab, bystander, node);
            assertThat(List.of(secret.mismatch(before), behind.mismatch(lab.memory(behind.byteSize(), 2))))
                    .as("memory that was not granted")
                    .containsOnly(-1L);
            assertThat(bystander.statistics().closedWithError()).isZero();
            lab.pass(Duration.ofMinutes(3));
            assertThat(node.statistics().transmitsInUse()).isZero();
            assertThat(node.statistics().registration().inUse()).isZero();
            assertThat(node.statistics().defects()).isPositive();
        }
    }

    private void assertServed(Lab lab, LnetNode bystander, LnetNode node) {
        events.clear();
        bystander.put(Lab.active(lab.memory(100, 3), 2, events), true, node.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> events.size() == 2, SOON)).isTrue();
        assertThat(events).allMatch(LnetEvent::isSuccess);
    }

    private void connection(Lab lab, LnetNode node, long count) throws VerbsException {
        try (RawPeer peer = new RawPeer(lab, 3)) {
            byte[] request = peer.connreq(node, 1 + random.nextInt(8), 1 + random.nextInt(257));
            if (random.nextInt(4) == 0) {
                mutate(request);
                requests++;
            }
            if (claimsToBe(Lab.nid(2), request)) {
                return;
            }
            LndMessage asked = view(request);
            boolean sound = asked.parse(request.length) == MessageDefect.NONE;
            if (peer.connect(node, request) != CmEventType.ESTABLISHED) {
                return;
            }
            assertThat(sound).as("a request that makes no sense was granted").isTrue();
            long stamp = peer.stampOfAnswer();
            boolean knowing = true;
            for (int i = 0; i < PER_CONNECTION && sent + requests < count && !peer.isDisconnected(); i++) {
                byte[] message = message(peer, node, stamp);
                byte[] before = message.clone();
                if (message[TYPE] != (byte) MessageType.PUT_REQ.code() || random.nextInt(4) == 0) {
                    mutate(message);
                }
                peer.send(message, Duration.ofNanos(50_000));
                sent++;
                int answers = peer.received().size();
                if (knowing) {
                    check(fate(before, message, asked.header(), node, stamp), lab, peer, before, message);
                }
                if (random.nextInt(4) == 0) {
                    knowing &= !writeAnywhere(peer, answers);
                }
            }
            closed += peer.isDisconnected() ? 1 : 0;
        }
    }

    private static LndMessage view(byte[] bytes) {
        return new LndMessage().wrap(MemorySegment.ofArray(bytes.clone()), 0);
    }

    /** An invalid message, or one of another session, closes the connection; the payload may have any content. */
    private static Fate fate(byte[] before, byte[] spoilt, MessageHeader peer, LnetNode node, long stamp) {
        LndMessage message = view(spoilt);
        if (message.parse(spoilt.length) != MessageDefect.NONE
                || message.checkSession(node.nid(), stamp, peer.sourceNid(), peer.sourceStamp())
                        != MessageDefect.NONE) {
            return Fate.CLOSES;
        }
        int changed = Arrays.mismatch(before, spoilt);
        boolean payload = changed < 0 || changed >= LndMessage.IMMEDIATE_PAYLOAD;
        return payload && message.type() == MessageType.IMMEDIATE ? Fate.STAYS : Fate.EITHER;
    }

    private static void check(Fate fate, Lab lab, RawPeer peer, byte[] before, byte[] spoilt) {
        if (fate == Fate.EITHER) {
            lab.pass(MOMENT);
            return;
        }
        if (fate == Fate.CLOSES) {
            lab.await(peer::isDisconnected, SOON);
        }
        assertThat(peer.isDisconnected())
                .as("message %s, changed %s", header(before), changes(before, spoilt))
                .isEqualTo(fate == Fate.CLOSES);
    }

    private static String header(byte[] message) {
        return HexFormat.of().formatHex(message, 0, Math.min(message.length, 136));
    }

    private static List<String> changes(byte[] before, byte[] after) {
        return IntStream.range(0, before.length)
                .filter(i -> before[i] != after[i])
                .mapToObj(i -> "byte " + i + " to " + HexFormat.of().toHexDigits(after[i]))
                .toList();
    }

    /**
     * Writes with a key that the node granted for a transfer, or a similar one, near the granted address. Returns false
     * without a grant.
     */
    private boolean writeAnywhere(RawPeer peer, int answers) {
        @Nullable LndMessage grant = null;
        for (int i = 0; i < answers; i++) {
            // Data that the node wrote on the peer's request may have overwritten an answer.
            byte[] bytes = peer.bytes(i);
            LndMessage answer = view(bytes);
            if (answer.parse(bytes.length) == MessageDefect.NONE && answer.type() == MessageType.PUT_ACK) {
                grant = answer;
            }
        }
        if (grant == null) {
            return false;
        }
        long address = grant.descriptor().fragmentAddress(0) + random.nextInt(5 * GRANTED) - 2 * GRANTED;
        int key = grant.descriptor().key() ^ (random.nextInt(4) == 0 ? 1 << random.nextInt(32) : 0);
        peer.write(new byte[1 + random.nextInt(4096)], address, key);
        writes++;
        return true;
    }

    /** The protocol does not authenticate a node, so a node that uses another node's NID does harm that node. */
    private static boolean claimsToBe(Nid nid, byte[] request) {
        LndMessage message = view(request);
        return message.parse(request.length) == MessageDefect.NONE
                && message.header().sourceNid().equals(nid);
    }

    /** Changes one or two bytes, some of them in the headers. */
    private void mutate(byte[] bytes) {
        for (int i = random.nextInt(2); i >= 0; i--) {
            int at = random.nextInt(4) > 0 ? random.nextInt(bytes.length) : random.nextInt(Math.min(bytes.length, 136));
            bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
    }

    private byte[] message(RawPeer peer, LnetNode node, long stamp) {
        MessageType[] types = MessageType.values();
        MessageType type = random.nextInt(6) > 0 ? MessageType.IMMEDIATE : types[random.nextInt(types.length)];
        return peer.message(type, node, stamp, message -> fill(message, peer, node));
    }

    private void fill(LndMessage message, RawPeer peer, LnetNode node) {
        ProcessId self = ProcessId.of(peer.nid());
        switch (message.type()) {
            case CONNREQ, CONNACK -> message.connParams().set(8, 257, 4096);
            case NOOP -> {}
            case IMMEDIATE -> {
                int length = random.nextInt(3977);
                message.payloadLength(length);
                LnetHeaders.rewrite(
                        LnetHeaders.put(self, node.id(), length, WireHandle.NONE, Lab.PORTAL, Lab.BITS, 0, 0),
                        message.lnetHeader());
            }
            case PUT_REQ -> {
                LnetHeaders.rewrite(
                        LnetHeaders.put(
                                self,
                                node.id(),
                                5000,
                                WireHandle.NONE,
                                Lab.PORTAL,
                                random.nextBoolean() ? Lab.BITS : 1,
                                0,
                                0),
                        message.lnetHeader());
                message.requestCookie(random.nextInt(10));
            }
            case PUT_ACK, GET_REQ -> {
                if (message.type() == MessageType.PUT_ACK) {
                    message.putAckCookies(random.nextInt(10), random.nextInt(10));
                } else {
                    LnetHeaders.rewrite(
                            LnetHeaders.get(self, node.id(), new WireHandle(1, 2), Lab.PORTAL, Lab.BITS, 0, 5000),
                            message.lnetHeader());
                    message.requestCookie(random.nextInt(10));
                }
                message.describe(peer.region().rkey(), 1)
                        .fragment(0, 5000, peer.region().address());
            }
            case PUT_NAK, PUT_DONE, GET_DONE -> message.completion().set(random.nextInt(10), random.nextInt(10) - 5);
        }
    }

    @Test
    void aThousandSpoiltMessagesHarmNoOtherPeer() throws VerbsException {
        flood(1000);
        assertThat(closed).isPositive();
        assertThat(requests).isPositive();
        assertThat(writes).isPositive();
    }

    /** Prints its size; {@code -Dverbena.lnd.flood} changes it. */
    @Test
    @Tag("sweep")
    void aMillionSpoiltMessagesHarmNoOtherPeer() throws VerbsException {
        flood(MESSAGES);
        System.out.println("spoilt messages: " + sent + ", spoilt requests: " + requests + ", writes out of place: "
                + writes + ", connections closed: " + closed);
        assertThat(sent + requests).isGreaterThanOrEqualTo(MESSAGES);
    }
}
