// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.CmEventType;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.LnetHeaders;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.UnlinkPolicy;
import dev.verbena.lnet.WireHandle;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A peer that is silent takes a share of a node's descriptors and memory; other peers are served, and new ones can
 * connect.
 */
class PeerShareTest {

    private static final int MANY = 20_000;
    private static final int MEBIBYTE = 1 << 20;
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration BEYOND_EVERY_TIMEOUT = Duration.ofMinutes(5);

    private final List<LnetEvent> events = new ArrayList<>();
    private final List<LnetEvent> others = new ArrayList<>();
    private Lab lab;

    @BeforeEach
    void start() throws VerbsException {
        lab = new Lab(3);
    }

    @AfterEach
    void stop() throws VerbsException {
        lab.close();
    }

    private void put(LnetNode from, LnetNode to, int bytes, List<LnetEvent> into) {
        from.put(Lab.active(lab.memory(bytes, 1), 1, into), false, to.id(), Lab.PORTAL, Lab.BITS, 0, 0);
    }

    private void assertServed(LnetNode from, LnetNode to) {
        others.clear();
        put(from, to, 8, others);
        assertThat(lab.await(() -> !others.isEmpty(), SOON)).isTrue();
        assertThat(others).allMatch(LnetEvent::isSuccess);
    }

    private static long free(LnetNode node) {
        return node.statistics().freeMemory();
    }

    @Test
    void smallMessagesToASilentPeerDoNotDelayOtherPeers() throws VerbsException {
        LnetNode node = lab.start(1);
        LnetNode healthy = lab.start(2);
        LnetNode silent = lab.start(3);
        assertServed(node, healthy);
        assertServed(node, silent);
        long before = free(node);
        lab.silence(3);
        for (int i = 0; i < MANY; i++) {
            put(node, silent, 8, events);
        }
        assertThat(events).as("refused at once").isEmpty();
        assertThat(before - free(node))
                .isLessThanOrEqualTo(O2ibTunables.defaults().peerShare() * 4096L);
        assertThat(node.held()).hasSize(MANY);
        assertServed(node, healthy);
        assertServed(lab.start(257), node);
        lab.pass(BEYOND_EVERY_TIMEOUT);
        assertThat(events).hasSize(MANY).noneMatch(LnetEvent::isSuccess);
        assertThat(node.held()).isEmpty();
        assertThat(node.statistics().transmitsInUse()).isZero();
    }

    /** Large messages are copied through pages of the node, and may use all pages except an eighth. */
    @Test
    void largeMessagesToSilentPeersLeaveMemoryToNewPeers() throws VerbsException {
        LnetNode node = lab.start(1);
        List<LnetNode> silent = List.of(lab.start(2), lab.start(3), lab.start(257));
        silent.forEach(peer -> assertServed(node, peer));
        lab.silence(2);
        lab.silence(3);
        lab.silence(4);
        for (LnetNode peer : silent) {
            for (int i = 0; i < 20; i++) {
                put(node, peer, MEBIBYTE, events);
            }
        }
        assertThat(free(node)).isGreaterThanOrEqualTo(MEBIBYTE);
        assertThat(events).allMatch(event -> event.status() == -Errno.ENOMEM.number());
        lab.unsilence();
        lab.pass(BEYOND_EVERY_TIMEOUT);
        assertThat(events).hasSize(60);
        assertThat(node.statistics().transmitsInUse()).isZero();
    }

    /** Each connection takes receive buffers until it is torn down. */
    @Test
    void aPeerThatConnectsRepeatedlyUsesNoMemoryOfOtherPeers() throws VerbsException {
        LnetNode node = lab.start(1, lab.tunables().memory(4L << 20).build());
        long before = free(node);
        List<RawPeer> peers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            RawPeer peer = RawPeer.fromAnyPort(lab, 3);
            peers.add(peer);
            peer.connect(node, peer.connreq(node, 8, 257));
        }
        assertThat(before - free(node)).isLessThanOrEqualTo(32 * 18 * 4096L);
        assertServed(lab.start(2), node);
        lab.pass(Duration.ofSeconds(10));
        try (RawPeer later = RawPeer.fromAnyPort(lab, 3)) {
            later.connectProperly(node);
        }
        for (RawPeer peer : peers) {
            peer.close();
        }
        lab.pass(BEYOND_EVERY_TIMEOUT);
        assertThat(node.statistics().connections()).hasSize(1);
        assertThat(before - free(node)).isLessThanOrEqualTo(20 * 4096L);
    }

    /** The answer to its request never reaches it, so that it never confirms. */
    @Test
    void anAcceptedPeerThatNeverConfirmsLeavesNothingOpen() throws VerbsException {
        LnetNode node = lab.start(1);
        long before = free(node);
        lab.silence(1);
        try (RawPeer peer = new RawPeer(lab, 3)) {
            assertThat(peer.connect(node, peer.connreq(node, 8, 257))).isNotEqualTo(CmEventType.ESTABLISHED);
            lab.pass(BEYOND_EVERY_TIMEOUT);
        }
        lab.unsilence();
        assertThat(node.peers()).isEmpty();
        assertThat(free(node)).isEqualTo(before);
        assertServed(lab.start(2), node);
    }

    @Test
    void messagesBeyondTheShareArriveInTheOrderInWhichTheyWereSent() throws VerbsException {
        LnetNode node = lab.start(1);
        LnetNode peer = lab.start(2);
        peer.attach(
                MatchEntry.on(Lab.PORTAL).matchBits(Lab.BITS).build(),
                MemoryDescriptor.over(lab.memory(8, 1))
                        .options(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .unlinkPolicy(UnlinkPolicy.RETAIN)
                        .handler(events::add)
                        .build());
        for (int i = 0; i < 1000; i++) {
            node.put(Lab.active(lab.memory(8, 1), 2, others), true, peer.id(), Lab.PORTAL, Lab.BITS, 0, i);
        }
        assertThat(lab.await(() -> others.size() == 2000, BEYOND_EVERY_TIMEOUT)).isTrue();
        assertThat(others).allMatch(LnetEvent::isSuccess);
        assertThat(events).hasSize(1000);
        for (int i = 0; i < 1000; i++) {
            assertThat(events.get(i).type()).isEqualTo(LnetEventType.PUT);
            assertThat(events.get(i).hdrData()).isEqualTo(i);
        }
    }

    /**
     * The peer answers one request every five seconds, in time for each that it has; a message that waits longer for
     * its turn fails.
     */
    @Test
    void aDelayedMessageHasADeadlineOfItsOwn() throws VerbsException {
        LnetNode node = lab.start(1);
        int messages = O2ibTunables.defaults().peerShare() + 30;
        try (RawPeer peer = new RawPeer(lab, 3)) {
            long stamp = peer.connectProperly(node);
            for (int i = 0; i < messages; i++) {
                MemoryDescriptor source = Lab.active(lab.memory(5000, 1), 1, events);
                node.put(source, false, ProcessId.of(peer.nid()), Lab.PORTAL, Lab.BITS, 0, 0);
            }
            lab.pass(Duration.ofSeconds(1));
            for (int answered = 0; answered < peer.received().size(); answered++) {
                lab.pass(Duration.ofSeconds(5));
                long cookie = peer.received().get(answered).requestCookie();
                peer.send(peer.message(MessageType.PUT_NAK, node, stamp, message -> {
                    message.header().credits(1);
                    message.completion().set(cookie, 0);
                }));
            }
            assertThat(peer.isDisconnected()).isFalse();
        }
        assertThat(events).hasSize(messages);
        assertThat(events.stream().filter(LnetEvent::isSuccess)).hasSizeBetween(16, 22);
        assertThat(events.stream().filter(event -> !event.isSuccess()).map(LnetEvent::status))
                .containsOnly(-Errno.ETIMEDOUT.number());
    }

    /** A GET costs the peer nothing, since its credits are returned; the answers would fill the node's memory. */
    @Test
    void aPeerThatAsksOnAndTakesNoAnswerLosesItsConnection() throws VerbsException {
        LnetNode node = lab.start(1);
        node.attach(
                MatchEntry.on(Lab.PORTAL).matchBits(Lab.BITS).build(),
                MemoryDescriptor.over(lab.memory(8, 1))
                        .options(MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                        .unlinkPolicy(UnlinkPolicy.RETAIN)
                        .build());
        long before = free(node);
        try (RawPeer peer = new RawPeer(lab, 3)) {
            long stamp = peer.connectProperly(node);
            byte[] get = peer.message(MessageType.IMMEDIATE, node, stamp, message -> {
                message.payloadLength(0);
                LnetHeaders.rewrite(
                        LnetHeaders.get(
                                ProcessId.of(peer.nid()), node.id(), new WireHandle(1, 2), Lab.PORTAL, Lab.BITS, 0, 8),
                        message.lnetHeader());
            });
            long least = before;
            int asked = 0;
            while (!peer.isDisconnected() && asked < 2 * DelayedMessages.MAX_ANSWERS) {
                peer.send(get, Duration.ofMillis(1));
                peer.received();
                asked++;
                least = Math.min(least, free(node));
            }
            assertThat(asked).isBetween(DelayedMessages.MAX_ANSWERS, DelayedMessages.MAX_ANSWERS + 100);
            assertThat(before - least).isLessThanOrEqualTo(40 * 4096L);
        }
        lab.pass(BEYOND_EVERY_TIMEOUT);
        assertThat(node.statistics().transmitsInUse()).isZero();
    }
}
