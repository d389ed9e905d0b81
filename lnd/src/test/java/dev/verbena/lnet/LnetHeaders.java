// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Gives tests in other packages access to LNet's own methods of headers. */
public final class LnetHeaders {

    private LnetHeaders() {}

    /** A header over 72 fresh bytes, with the fields that every type has. */
    public static LnetHeader header(LnetMessageType type, ProcessId from, ProcessId to, long payloadLength) {
        return new LnetHeader()
                .wrap(MemorySegment.ofArray(new byte[LnetHeader.LENGTH]), 0)
                .type(type)
                .source(from)
                .destination(to)
                .payloadLength(payloadLength);
    }

    public static LnetHeader put(
            ProcessId from, ProcessId to, long length, WireHandle ack, int portal, long bits, long offset, long data) {
        return header(LnetMessageType.PUT, from, to, length)
                .handle(ack)
                .matchBits(bits)
                .putHdrData(data)
                .putPortal(portal)
                .putOffset(offset);
    }

    public static LnetHeader get(
            ProcessId from, ProcessId to, WireHandle sink, int portal, long bits, long offset, long sinkLength) {
        return header(LnetMessageType.GET, from, to, 0)
                .handle(sink)
                .matchBits(bits)
                .getPortal(portal)
                .getOffset(offset)
                .getSinkLength(sinkLength);
    }

    public static LnetHeader ack(ProcessId from, ProcessId to, WireHandle handle, long bits, long length) {
        return header(LnetMessageType.ACK, from, to, 0)
                .handle(handle)
                .matchBits(bits)
                .ackLength(length);
    }

    public static LnetHeader reply(ProcessId from, ProcessId to, WireHandle handle, long length) {
        return header(LnetMessageType.REPLY, from, to, length).handle(handle);
    }

    public static void rewrite(LnetHeader from, LnetHeader to) {
        LnetMessageType type = Objects.requireNonNull(LnetMessageType.of(from.typeCode()));
        LnetHeader fresh = switch (type) {
            case PUT ->
                put(
                        from.source(),
                        from.destination(),
                        from.payloadLength(),
                        from.handle(),
                        (int) from.putPortal(),
                        from.matchBits(),
                        from.putOffset(),
                        from.putHdrData());
            case GET ->
                get(
                        from.source(),
                        from.destination(),
                        from.handle(),
                        (int) from.getPortal(),
                        from.matchBits(),
                        from.getOffset(),
                        from.getSinkLength());
            case ACK -> ack(from.source(), from.destination(), from.handle(), from.matchBits(), from.ackLength());
            case REPLY -> reply(from.source(), from.destination(), from.handle(), from.payloadLength());
            case HELLO -> throw new IllegalArgumentException("HELLO has no place here");
        };
        to.set(fresh);
    }
}
