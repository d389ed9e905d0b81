// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.Captures;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RdmaDescriptor;
import dev.verbena.lnet.LnetHeader;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The users of this project's node in a captured conversation. They start the same operations as the users of the real
 * node, offer the same memory, and check the arrived data.
 */
final class ReplayUsers {

    private static final int PING_SINK = 3960;

    private final Lab lab;
    private final int host;
    private final List<Captures.Message> script;
    private final List<Arrival> arrivals = new ArrayList<>();

    /** The bytes that must be at the start of a memory at the end. */
    private record Arrival(Captures.Message message, MemorySegment memory, byte[] content) {}

    ReplayUsers(Lab lab, int host, List<Captures.Message> script) {
        this.lab = lab;
        this.host = host;
        this.script = script;
    }

    /** Returns whether a message of the node is an operation of a user, and not an answer. */
    static boolean isOperation(LndMessage message) {
        return switch (message.type()) {
            case IMMEDIATE, PUT_REQ, GET_REQ -> {
                @Nullable LnetMessageType type = LnetMessageType.of(message.lnetHeader().typeCode());
                yield type == LnetMessageType.PUT || type == LnetMessageType.GET;
            }
            default -> false;
        };
    }

    /** Starts the operation that brought about a message of our node. */
    void start(LnetNode node, Captures.Message captured, LndMessage message) {
        LnetHeader header = message.lnetHeader();
        if (LnetMessageType.of(header.typeCode()) == LnetMessageType.PUT) {
            boolean ack = !header.handle().isNone();
            byte[] content = message.type() == MessageType.IMMEDIATE
                    ? payload(captured.bytes(), message)
                    : writtenFor(captured, message);
            MemoryDescriptor md = MemoryDescriptor.over(memory(content))
                    .threshold(ack ? 2 : 1)
                    .build();
            node.put(
                    md,
                    ack,
                    header.destination(),
                    (int) header.putPortal(),
                    header.matchBits(),
                    header.putOffset(),
                    header.putHdrData());
        } else {
            MemorySegment sink = memory(new byte[(int) header.getSinkLength()]);
            MemoryDescriptor md = MemoryDescriptor.over(sink)
                    .options(MdOption.TRUNCATE)
                    .threshold(2)
                    .build();
            expectWrites(captured, message, sink);
            node.get(md, header.destination(), (int) header.getPortal(), header.matchBits(), header.getOffset());
        }
    }

    /** Starts a ping as {@code lctl ping} does. */
    void ping(LnetNode node, Nid nid) {
        MemoryDescriptor md = MemoryDescriptor.over(memory(new byte[PING_SINK]))
                .options(MdOption.TRUNCATE)
                .threshold(2)
                .build();
        node.get(md, ProcessId.of(nid), 0, Long.MIN_VALUE, 0);
    }

    /** Offers the memory that a message of the peer requests. */
    void offer(LnetNode node, Captures.Message captured, LndMessage message) {
        LnetHeader header = message.lnetHeader();
        LnetMessageType type = Objects.requireNonNull(LnetMessageType.of(header.typeCode()));
        switch (type) {
            case PUT -> {
                MemorySegment sink = memory(new byte[(int) header.payloadLength()]);
                if (message.type() == MessageType.IMMEDIATE) {
                    arrivals.add(new Arrival(captured, sink, payload(captured.bytes(), message)));
                } else {
                    expectWrites(captured, message, sink);
                }
                attach(node, (int) header.putPortal(), header.matchBits(), MdOption.OP_PUT, sink);
            }
            case GET ->
                attach(
                        node,
                        (int) header.getPortal(),
                        header.matchBits(),
                        MdOption.OP_GET,
                        memory(reply(captured, message)));
            case ACK, REPLY, HELLO -> {}
        }
    }

    private static void attach(LnetNode node, int portal, long bits, MdOption option, MemorySegment memory) {
        node.attach(
                MatchEntry.on(portal).matchBits(bits).build(),
                MemoryDescriptor.over(memory)
                        .options(option, MdOption.TRUNCATE)
                        .threshold(1)
                        .build());
    }

    private MemorySegment memory(byte[] content) {
        MemorySegment memory = lab.memory(content.length, 0);
        MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 0, content.length);
        return memory;
    }

    /** Returns the rest of the script after a message, on its connection. */
    private List<Captures.Message> after(Captures.Message message) {
        return script.stream()
                .filter(later -> later.frame() > message.frame() && later.connection() == message.connection())
                .toList();
    }

    /** Returns the data of the real node: the payload of its REPLY, or the bytes that it wrote. */
    private byte[] reply(Captures.Message captured, LndMessage get) {
        if (get.type() == MessageType.GET_REQ) {
            return written(captured, get.descriptor(), get.descriptor().totalLength());
        }
        for (Captures.Message later : after(captured)) {
            if (later.carrier() == Captures.Carrier.SEND && later.from() == host) {
                LndMessage answer = CaptureReplay.parse(later.bytes());
                if (answer.type() == MessageType.IMMEDIATE
                        && LnetMessageType.of(answer.lnetHeader().typeCode()) == LnetMessageType.REPLY
                        && answer.lnetHeader().handle().equals(get.lnetHeader().handle())) {
                    return payload(later.bytes(), answer);
                }
            }
        }
        return new byte[0];
    }

    /** Returns the bytes that the requester wrote into the memory that the answer described. */
    private byte[] writtenFor(Captures.Message captured, LndMessage put) {
        long length = put.lnetHeader().payloadLength();
        for (Captures.Message later : after(captured)) {
            if (later.carrier() == Captures.Carrier.SEND && later.from() != captured.from()) {
                LndMessage answer = CaptureReplay.parse(later.bytes());
                if (answer.type() == MessageType.PUT_ACK && answer.sourceCookie() == put.requestCookie()) {
                    return written(later, answer.descriptor(), length);
                }
            }
        }
        return new byte[(int) length];
    }

    /** Returns the bytes that were written to a descriptor's memory; zeros where the capture lacks them. */
    private byte[] written(Captures.Message captured, RdmaDescriptor descriptor, long length) {
        for (Captures.Message later : after(captured)) {
            Captures.@Nullable Write write = later.write();
            if (write != null && write.key() == descriptor.key() && write.address() == descriptor.fragmentAddress(0)) {
                return Arrays.copyOf(later.bytes(), write.length());
            }
        }
        return new byte[(int) length];
    }

    private void expectWrites(Captures.Message captured, LndMessage request, MemorySegment sink) {
        byte[] content = request.type() == MessageType.GET_REQ
                ? written(captured, request.descriptor(), sink.byteSize())
                : request.type() == MessageType.PUT_REQ ? writtenFor(captured, request) : new byte[0];
        arrivals.add(new Arrival(captured, sink, content));
    }

    private static byte[] payload(byte[] bytes, LndMessage message) {
        return Arrays.copyOfRange(
                bytes, LndMessage.IMMEDIATE_PAYLOAD, (int) message.header().length());
    }

    /** Everything that came is where it belongs. */
    void verify() {
        for (Arrival arrival : arrivals) {
            assertThat(arrival.memory().asSlice(0, arrival.content().length).toArray(ValueLayout.JAVA_BYTE))
                    .as("what came by %s", arrival.message())
                    .isEqualTo(arrival.content());
        }
    }
}
