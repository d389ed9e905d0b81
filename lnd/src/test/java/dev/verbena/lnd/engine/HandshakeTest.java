// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RejectData;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.Nid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the answers to requests, replies and rejections. */
class HandshakeTest {

    private static final Nid US = Nid.parse("10.0.0.1@o2ib");
    private static final Nid PEER = Nid.parse("10.0.0.2@o2ib");
    private static final long STAMP = 77;
    private static final Handshake OURS = new Handshake(US, STAMP, 8, 257);

    private static LndMessage message(MessageType type, int version, long stamp, int depth, int fragments, int size) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[56]);
        LndMessage message = new LndMessage().wrap(bytes, 0).begin(type);
        message.header()
                .version(version)
                .sourceNid(PEER)
                .sourceStamp(5)
                .destinationNid(US)
                .destinationStamp(stamp);
        message.connParams().set(depth, fragments, size);
        assertThat(message.parse(56)).isEqualTo(MessageDefect.NONE);
        return message;
    }

    @ParameterizedTest
    @CsvSource({
        "CONNREQ, 18, 0, 8, 257, 4096, ",
        "CONNREQ, 18, 77, 1, 1, 1, ",
        "CONNREQ, 18, 78, 9, 258, 4097, CONN_STALE",
        "CONNACK, 18, 0, 9, 258, 4097, FATAL",
        "CONNREQ, 18, 0, 9, 258, 4097, MSG_QUEUE_SIZE",
        "CONNREQ, 18, 0, 8, 258, 4097, RDMA_FRAGS",
        "CONNREQ, 18, 0, 8, 257, 4097, FATAL",
        "CONNREQ, 18, 0, 0, 257, 4096, FATAL",
        "CONNREQ, 18, 0, 8, 0, 4096, FATAL",
        "CONNREQ, 17, 78, 8, 257, 4096, FATAL",
    })
    void requestsAreJudgedInTheOrderOfTheReference(
            MessageType type,
            int version,
            long stamp,
            int depth,
            int fragments,
            int size,
            @Nullable RejectReason reason) {
        assertThat(OURS.judgeRequest(message(type, version, stamp, depth, fragments, size)))
                .isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "CONNACK, 18, 77, 8, 257, 4096, 0",
        "CONNACK, 18, 77, 3, 16, 4096, 0",
        "CONNACK, 18, 77, 9, 257, 4096, -71",
        "CONNACK, 18, 77, 8, 258, 4096, -71",
        "CONNACK, 18, 77, 8, 257, 4097, -71",
        "CONNACK, 18, 77, 0, 257, 4096, -71",
        "CONNACK, 17, 77, 8, 257, 4096, -71",
        "CONNREQ, 18, 77, 8, 257, 4096, -71",
        "CONNACK, 18, 0, 8, 257, 4096, -116",
        "CONNACK, 18, 78, 8, 257, 4096, -116",
    })
    void repliesMayNotExceedTheOffer(
            MessageType type, int version, long stamp, int depth, int fragments, int size, int status) {
        assertThat(OURS.judgeReply(message(type, version, stamp, depth, fragments, size), PEER))
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.3@o2ib, -116", "10.0.0.2@o2ib, 0"})
    void aReplyMustComeFromThePeer(String peer, int status) {
        assertThat(OURS.judgeReply(message(MessageType.CONNACK, 18, STAMP, 8, 257, 4096), Nid.parse(peer)))
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "CONN_RACE, 24, 8, 257, RECONNECT",
        "CONN_STALE, 24, 8, 257, RECONNECT",
        "MSG_QUEUE_SIZE, 24, 7, 257, RECONNECT",
        "MSG_QUEUE_SIZE, 24, 8, 257, GIVE_UP",
        "MSG_QUEUE_SIZE, 24, 0, 257, GIVE_UP",
        "MSG_QUEUE_SIZE, 8, 7, 257, GIVE_UP",
        "RDMA_FRAGS, 24, 8, 256, RECONNECT",
        "RDMA_FRAGS, 24, 8, 257, GIVE_UP",
        "NO_RESOURCES, 24, 7, 256, GIVE_UP",
        "FATAL, 24, 7, 256, GIVE_UP",
        "EARLY, 24, 7, 256, GIVE_UP",
    })
    void onlyRejectionsThatTellHowToDoBetterAreFollowedByAnotherAttempt(
            RejectReason reason, int length, int depth, int fragments, Handshake.Reaction reaction) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[24]);
        RejectData data = new RejectData();
        data.begin(bytes, 0, 0x12, reason, ByteOrder.LITTLE_ENDIAN).connParams().set(depth, fragments, 4096);
        assertThat(data.parse(bytes, 0, length)).isEqualTo(MessageDefect.NONE);
        assertThat(OURS.react(data)).isEqualTo(reaction);
    }

    @ParameterizedTest
    @EnumSource(RejectReason.class)
    void nothingAfterAShortRejectionIsRead(RejectReason reason) {
        MemorySegment whole = MemorySegment.ofArray(new byte[24]);
        new RejectData().begin(whole, 0, 0x12, reason, ByteOrder.LITTLE_ENDIAN);
        MemorySegment cut = MemorySegment.ofArray(whole.asSlice(0, 7).toArray(ValueLayout.JAVA_BYTE));
        RejectData data = new RejectData();
        assertThat(data.parse(cut, 0, 7)).isEqualTo(MessageDefect.NONE);
        boolean needsNoMore = reason == RejectReason.CONN_RACE || reason == RejectReason.CONN_STALE;
        assertThat(OURS.react(data)).isEqualTo(needsNoMore ? Handshake.Reaction.RECONNECT : Handshake.Reaction.GIVE_UP);
    }
}
