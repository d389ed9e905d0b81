// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.Captures;
import dev.verbena.lnd.wire.Checksum;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RdmaDescriptor;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.WireHandle;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * The values that each node chooses by itself, and that are not compared: cookies, wire handles, and keys and addresses
 * of memory. Translates between the captured values and those of the replay.
 */
final class ReplayNames {

    private static final int CHECKSUM = 12;
    private static final int COOKIE = 120;
    private static final int HANDLE = 80;
    private static final int HANDLE_LENGTH = 16;

    private record RemoteMemory(long address, int key) {}

    private final Map<Long, Long> cookies = new HashMap<>();
    private final Map<WireHandle, byte[]> handles = new HashMap<>();
    private final Map<RemoteMemory, Captures.Write> granted = new HashMap<>();

    private static RemoteMemory memoryOf(Captures.Write write) {
        return new RemoteMemory(write.address(), write.key());
    }

    private static Captures.Write described(LndMessage message) {
        RdmaDescriptor descriptor = message.descriptor();
        return new Captures.Write(descriptor.fragmentAddress(0), descriptor.key(), (int) descriptor.totalLength());
    }

    /** Translates the target of a captured write. */
    Captures.Write whereIs(Captures.Write captured) {
        Captures.Write today = Objects.requireNonNull(granted.get(memoryOf(captured)), "memory that nobody described");
        return new Captures.Write(today.address(), today.key(), captured.length());
    }

    /** The cookie of our node's request that had another then. */
    private long mine(long cookie) {
        return Objects.requireNonNull(cookies.get(cookie), "a cookie that our node did not give");
    }

    /** Translates a captured message of the peer for this project's node, in place; takes memory from {@code sinks}. */
    void translate(LndMessage message, byte[] bytes, IntFunction<Captures.Write> sinks) {
        switch (message.type()) {
            case PUT_ACK -> {
                message.putAckCookies(mine(message.sourceCookie()), message.sinkCookie());
                describe(message, sinks);
            }
            case GET_REQ -> describe(message, sinks);
            case PUT_NAK, PUT_DONE, GET_DONE ->
                message.completion()
                        .set(
                                mine(message.completion().cookie()),
                                message.completion().status());
            case IMMEDIATE -> {
                LnetMessageType type = LnetMessageType.of(message.lnetHeader().typeCode());
                if (type == LnetMessageType.REPLY || type == LnetMessageType.ACK) {
                    byte[] handle = handles.get(message.lnetHeader().handle());
                    System.arraycopy(Objects.requireNonNull(handle), 0, bytes, HANDLE, HANDLE_LENGTH);
                }
            }
            case CONNREQ, CONNACK, NOOP, PUT_REQ -> {}
        }
    }

    private void describe(LndMessage message, IntFunction<Captures.Write> sinks) {
        Captures.Write captured = described(message);
        Captures.Write today = sinks.apply(captured.length());
        granted.put(memoryOf(captured), today);
        message.describe(today.key(), 1).fragment(0, captured.length(), today.address());
    }

    /** Records this node's names for the objects that the real node named differently. */
    void learn(LndMessage real, LndMessage ours, byte[] bytes) {
        switch (real.type()) {
            case PUT_REQ, GET_REQ -> {
                cookies.put(real.requestCookie(), ours.requestCookie());
                handles.put(real.lnetHeader().handle(), handle(bytes));
            }
            case IMMEDIATE -> handles.put(real.lnetHeader().handle(), handle(bytes));
            case PUT_ACK -> {
                cookies.put(real.sinkCookie(), ours.sinkCookie());
                assertThat(ours.sourceCookie()).isEqualTo(real.sourceCookie());
            }
            default -> {}
        }
        if (real.type() == MessageType.PUT_ACK || real.type() == MessageType.GET_REQ) {
            assertThat(ours.descriptor().fragmentCount())
                    .isEqualTo(real.descriptor().fragmentCount());
            granted.put(memoryOf(described(real)), described(ours));
        }
    }

    private static byte[] handle(byte[] bytes) {
        return Arrays.copyOfRange(bytes, HANDLE, HANDLE + HANDLE_LENGTH);
    }

    /** A message of our node with the names that the real one had, and its sum over these. */
    static byte[] renamed(byte[] ours, LndMessage message, byte[] real) {
        byte[] copy = ours.clone();
        switch (message.type()) {
            case IMMEDIATE -> nameHandle(copy, message, real);
            case PUT_REQ -> {
                nameHandle(copy, message, real);
                System.arraycopy(real, COOKIE, copy, COOKIE, Long.BYTES);
            }
            case GET_REQ -> {
                nameHandle(copy, message, real);
                System.arraycopy(real, COOKIE, copy, COOKIE, Long.BYTES);
                nameMemory(copy, COOKIE + Long.BYTES, real);
            }
            case PUT_ACK -> {
                System.arraycopy(real, LndMessage.BODY + Long.BYTES, copy, LndMessage.BODY + Long.BYTES, Long.BYTES);
                nameMemory(copy, LndMessage.BODY + 2 * Long.BYTES, real);
            }
            default -> {}
        }
        if (message.header().checksum() != 0) {
            int sum = Checksum.UNSIGNED_CHAR.compute(MemorySegment.ofArray(copy), 0, copy.length);
            ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).putInt(CHECKSUM, sum);
        }
        return copy;
    }

    /**
     * The handle of an operation that this node starts is its own, unless it requests no answer; the handle in an
     * answer is the other node's.
     */
    private static void nameHandle(byte[] bytes, LndMessage message, byte[] real) {
        LnetMessageType type = LnetMessageType.of(message.lnetHeader().typeCode());
        boolean own = type == LnetMessageType.PUT || type == LnetMessageType.GET;
        if (own && !message.lnetHeader().handle().isNone()) {
            System.arraycopy(real, HANDLE, bytes, HANDLE, HANDLE_LENGTH);
        }
    }

    /** Key and address of a descriptor with one fragment. */
    private static void nameMemory(byte[] bytes, int at, byte[] real) {
        System.arraycopy(real, at, bytes, at, Integer.BYTES);
        System.arraycopy(real, at + 3 * Integer.BYTES, bytes, at + 3 * Integer.BYTES, Long.BYTES);
    }
}
