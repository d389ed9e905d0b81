// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnet.DropReason;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetHeaders;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.WireHandle;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row 69: PUTs that come before there is memory for them hold a receive buffer and a credit of their sender. */
class LazyPortalTest {

    private static final int DEPTH = 8;
    private static final int MORE = 3;

    private final List<LnetEvent> atA = new ArrayList<>();
    private final List<LnetEvent> atB = new ArrayList<>();
    private Lab lab;
    private LnetNode a;
    private LnetNode b;

    @BeforeEach
    void start() throws VerbsException {
        lab = new Lab(6);
        a = lab.start(1);
        b = lab.start(2);
        b.lazy(Lab.PORTAL, true);
    }

    @AfterEach
    void stop() throws VerbsException {
        lab.close();
    }

    private void put(int length, int seed) {
        a.put(Lab.active(lab.memory(length, seed), 1, atA), false, b.id(), Lab.PORTAL, Lab.BITS, 0, seed);
    }

    private MemorySegment attach(int length) {
        MemorySegment memory = lab.memory(length, -1);
        b.attach(
                MatchEntry.on(Lab.PORTAL).matchBits(Lab.BITS).build(),
                MemoryDescriptor.over(memory)
                        .options(MdOption.OP_PUT)
                        .handler(atB::add)
                        .build());
        return memory;
    }

    private void assertArrived(LnetEvent event, MemorySegment memory, int length) {
        assertThat(event.isSuccess()).isTrue();
        assertThat(memory.asSlice(event.offset(), length).mismatch(lab.memory(length, event.hdrData())))
                .isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 5000})
    void asManyPutsAsTheQueueIsDeepStallTheirSenderUntilMemoryIsAttached(int length) {
        for (int i = 0; i < DEPTH + MORE; i++) {
            put(length, i);
        }
        lab.pass(Duration.ofSeconds(10));
        O2ibStatistics.ConnectionStatistics sender =
                a.statistics().connections().getFirst();
        assertThat(b.delayed(Lab.PORTAL)).isEqualTo(DEPTH);
        assertThat(sender.credits()).isZero();
        assertThat(sender.pending()).isGreaterThanOrEqualTo(MORE);
        assertThat(b.statistics().connections().getFirst().owed()).isZero();
        assertThat(atB).isEmpty();

        MemorySegment memory = attach(length * (DEPTH + MORE));
        assertThat(lab.await(() -> atA.size() == DEPTH + MORE && atB.size() == DEPTH + MORE, Duration.ofSeconds(5)))
                .as("at A %s, at B %s", atA, atB)
                .isTrue();
        assertThat(atA).allMatch(LnetEvent::isSuccess);
        assertThat(b.delayed(Lab.PORTAL)).isZero();
        atB.forEach(event -> assertArrived(event, memory, length));
        lab.pass(Duration.ofMillis(10));
        assertThat(a.statistics().connections().getFirst().credits()
                        + b.statistics().connections().getFirst().owed())
                .isEqualTo(DEPTH);
    }

    /** A connection leaves at most as many as its queue is deep, and each keeps a receive buffer. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPeerThatConnectsOnAndOnLeavesNoMorePutsThanOneConnectionMayHave(boolean asRouter) throws VerbsException {
        for (int i = 0; i < 40; i++) {
            try (RawPeer peer = new RawPeer(lab, 3)) {
                long stamp = peer.connectProperly(b);
                for (int put = 0; put < DEPTH; put++) {
                    // A router forwards messages of other nodes, and a peer that acts as one can invent their NIDs.
                    Nid source = asRouter ? Nid.parse("10.9." + i + "." + put + "@tcp") : peer.nid();
                    peer.send(peer.message(MessageType.IMMEDIATE, b, stamp, message -> {
                        message.payloadLength(100);
                        LnetHeaders.rewrite(
                                LnetHeaders.put(
                                        ProcessId.of(source), b.id(), 100, WireHandle.NONE, Lab.PORTAL, Lab.BITS, 0, 0),
                                message.lnetHeader());
                    }));
                }
            }
            lab.pass(Duration.ofSeconds(1));
        }
        assertThat(b.delayed(Lab.PORTAL)).isEqualTo(255);
        assertThat(b.lnetStatistics().dropped(DropReason.NO_MATCH)).isEqualTo(40 * DEPTH - 255);
        put(100, 1);
        lab.pass(Duration.ofSeconds(1));
        assertThat(b.delayed(Lab.PORTAL)).as("another peer's").isEqualTo(256);
    }

    @Test
    void aPortalThatIsNoLongerLazyDropsItsKeptMessages() {
        put(100, 1);
        put(5000, 2);
        lab.pass(Duration.ofSeconds(1));
        assertThat(b.delayed(Lab.PORTAL)).isEqualTo(2);
        b.lazy(Lab.PORTAL, false);
        assertThat(b.delayed(Lab.PORTAL)).isZero();
        assertThat(b.lnetStatistics().dropped(DropReason.NO_MATCH)).isEqualTo(2);
        assertThat(lab.await(() -> atA.size() == 2, Duration.ofSeconds(5))).isTrue();
        assertThat(atA).allMatch(LnetEvent::isSuccess);
    }

    /** The buffer keeps the message until LNet has taken it, and is reused only then. */
    @Test
    void aKeptMessageOutlivesItsConnection() throws VerbsException {
        put(100, 1);
        put(5000, 2);
        lab.pass(Duration.ofSeconds(1));
        lab.close(a);
        lab.pass(Duration.ofMinutes(1));
        assertThat(b.statistics().connections()).isEmpty();
        long before = b.statistics().freeMemory();
        MemorySegment memory = attach(100_000);
        lab.pass(Duration.ofSeconds(1));
        assertThat(atB).hasSize(2);
        atB.stream().filter(event -> event.hdrData() == 1).forEach(event -> assertArrived(event, memory, 100));
        assertThat(atB).filteredOn(event -> event.hdrData() == 2).noneMatch(LnetEvent::isSuccess);
        assertThat(b.statistics().transmitsInUse()).isZero();
        // A page for each receive buffer, less one for the transmit descriptor that was made, which stays with its
        // pool.
        assertThat(b.statistics().freeMemory() - before).isEqualTo(4096);
    }

    /**
     * A kept message is read twice, and a peer with a key to the buffer may write in between. Here the peer turns a
     * kept PUT into a GET, so that B would write to the peer's memory.
     */
    @Test
    void aPeerCannotReadByChangingAPendingPutToAGet() {
        put(100, 1);
        lab.pass(Duration.ofSeconds(1));
        buffer(MessageType.IMMEDIATE)
                .begin(MessageType.GET_REQ)
                .describe(a.ni().memory().region().rkey(), 1)
                .fragment(0, 100, a.ni().memory().region().address());
        attach(100);
        assertKeptFailed();
        assertThat(b.statistics().sent().get(MessageType.GET_DONE)).isZero();
    }

    @Test
    void aKeptPutThatIsNoMessageAnyMoreFailsByItself() {
        put(5000, 1);
        lab.pass(Duration.ofSeconds(1));
        buffer(MessageType.PUT_REQ).header().magic(0);
        attach(5000);
        assertKeptFailed();
        assertThat(lab.await(() -> atA.size() == 1, Duration.ofMinutes(1))).isTrue();
        assertThat(atA).noneMatch(LnetEvent::isSuccess);
    }

    private void assertKeptFailed() {
        assertThat(b.delayed(Lab.PORTAL)).isZero();
        assertThat(lab.await(() -> atB.size() == 1, Duration.ofSeconds(1))).isTrue();
        assertThat(atB).noneMatch(LnetEvent::isSuccess);
        assertThat(b.statistics().connections()).isEmpty();
    }

    /** Where B has a message of a type in a receive buffer. */
    private LndMessage buffer(MessageType type) {
        Connection connection = DriverParts.allPeers(b).getFirst().connections().getFirst();
        Endpoint endpoint = Objects.requireNonNull(connection.endpoint());
        for (long offset : endpoint.buffers()) {
            LndMessage view = new LndMessage().wrap(b.ni().memory().segment(), offset);
            if (view.parse(Protocol.MESSAGE_SIZE) == MessageDefect.NONE && view.type() == type) {
                return view;
            }
        }
        throw new AssertionError("no " + type + " in a buffer");
    }

    @Test
    void aNodeThatEndsDropsItsKeptMessages() throws VerbsException {
        put(100, 1);
        put(5000, 2);
        lab.pass(Duration.ofSeconds(1));
        lab.close(b);
        assertThat(b.delayed(Lab.PORTAL)).isZero();
        assertThat(lab.await(() -> atA.size() == 2, Duration.ofMinutes(1))).isTrue();
    }
}
