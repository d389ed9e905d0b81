// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import dev.verbena.lnet.LnetHeaders;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Objects;

/** Writes a message again, only from the values that its views return. */
final class Rewriter {

    private Rewriter() {}

    /** The bytes of a message with the content of {@code from}, written in the given order. */
    static byte[] rewrite(LndMessage from, MemorySegment source, ByteOrder order) {
        byte[] bytes = new byte[(int) from.header().length()];
        MemorySegment target = MemorySegment.ofArray(bytes);
        LndMessage to = new LndMessage().wrap(target, 0).begin(from.type(), order);
        MessageHeader header = from.header();
        to.header()
                .version(header.version())
                .credits(header.credits())
                .sourceNid(header.sourceNid())
                .sourceStamp(header.sourceStamp())
                .destinationNid(header.destinationNid())
                .destinationStamp(header.destinationStamp());
        switch (from.type()) {
            case CONNREQ, CONNACK -> {
                ConnParams params = from.connParams();
                to.connParams().set(params.queueDepth(), params.maxFragments(), params.maxMessageSize());
            }
            case NOOP -> {}
            case IMMEDIATE -> {
                LnetHeaders.rewrite(from.lnetHeader(), to.lnetHeader());
                to.payloadLength(from.payloadLength());
                MemorySegment.copy(
                        source,
                        LndMessage.IMMEDIATE_PAYLOAD,
                        target,
                        LndMessage.IMMEDIATE_PAYLOAD,
                        from.payloadLength());
            }
            case PUT_REQ -> {
                LnetHeaders.rewrite(from.lnetHeader(), to.lnetHeader());
                to.requestCookie(from.requestCookie());
            }
            case GET_REQ -> {
                LnetHeaders.rewrite(from.lnetHeader(), to.lnetHeader());
                to.requestCookie(from.requestCookie());
                rewrite(from.descriptor(), to);
            }
            case PUT_ACK -> {
                to.putAckCookies(from.sourceCookie(), from.sinkCookie());
                rewrite(from.descriptor(), to);
            }
            case PUT_NAK, PUT_DONE, GET_DONE ->
                to.completion()
                        .set(from.completion().cookie(), from.completion().status());
        }
        if (header.checksum() != 0) {
            to.finish(Checksum.UNSIGNED_CHAR);
        } else {
            to.finish(null);
        }
        return bytes;
    }

    /** A rejection with the same content, padded to a length. */
    static byte[] rewrite(RejectData from, int length, ByteOrder order) {
        byte[] bytes = new byte[length];
        RejectReason reason = Objects.requireNonNull(RejectReason.of(from.reasonCode()));
        new RejectData()
                .begin(MemorySegment.ofArray(bytes), 0, from.version(), reason, order)
                .incarnation(from.incarnation())
                .connParams()
                .set(
                        from.connParams().queueDepth(),
                        from.connParams().maxFragments(),
                        from.connParams().maxMessageSize());
        return bytes;
    }

    private static void rewrite(RdmaDescriptor from, LndMessage to) {
        RdmaDescriptor descriptor = to.describe(from.key(), from.fragmentCount());
        for (int i = 0; i < from.fragmentCount(); i++) {
            descriptor.fragment(i, from.fragmentLength(i), from.fragmentAddress(i));
        }
    }
}
