// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static dev.verbena.wire.Extension.AETH;
import static dev.verbena.wire.Extension.ATOMIC_ACK_ETH;
import static dev.verbena.wire.Extension.ATOMIC_ETH;
import static dev.verbena.wire.Extension.DETH;
import static dev.verbena.wire.Extension.FETH;
import static dev.verbena.wire.Extension.IETH;
import static dev.verbena.wire.Extension.IMM_DT;
import static dev.verbena.wire.Extension.RETH;
import static dev.verbena.wire.Opcode.Kind.ACK;
import static dev.verbena.wire.Opcode.Kind.ATOMIC;
import static dev.verbena.wire.Opcode.Kind.ATOMIC_WRITE;
import static dev.verbena.wire.Opcode.Kind.CONGESTION;
import static dev.verbena.wire.Opcode.Kind.FLUSH;
import static dev.verbena.wire.Opcode.Kind.READ_REQUEST;
import static dev.verbena.wire.Opcode.Kind.READ_RESPONSE;
import static dev.verbena.wire.Opcode.Kind.SEND;
import static dev.verbena.wire.Opcode.Kind.WRITE;
import static dev.verbena.wire.Opcode.Position.FIRST;
import static dev.verbena.wire.Opcode.Position.LAST;
import static dev.verbena.wire.Opcode.Position.MIDDLE;
import static dev.verbena.wire.Opcode.Position.ONLY;
import static dev.verbena.wire.Transport.RC;
import static dev.verbena.wire.Transport.UC;
import static dev.verbena.wire.Transport.UD;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The BTH opcodes that RoCEv2 devices exchange (InfiniBand Architecture Specification, volume 1, chapter 9, table "OpCode
 * field"; FLUSH and ATOMIC WRITE: Annex A19; CNP: Annex A17). The opcode determines a packet's extension headers and their
 * offsets, whether it has a payload, its position in the message, and its effect on the responder's receive queue.
 *
 * <p>Each packet is the first, a middle, the last or the only packet of its message. Acknowledgements and one-packet
 * requests (RDMA READ, atomics, FLUSH) are "only" packets.
 */
public enum Opcode {
    /** The first packet of a SEND with several packets. */
    RC_SEND_FIRST(RC, 0x00, SEND, FIRST),
    /** A packet between the first and the last packet of a SEND. */
    RC_SEND_MIDDLE(RC, 0x01, SEND, MIDDLE),
    /** The last packet of a SEND with several packets. */
    RC_SEND_LAST(RC, 0x02, SEND, LAST),
    /** The last of several packets of a SEND with immediate data. */
    RC_SEND_LAST_WITH_IMMEDIATE(RC, 0x03, SEND, LAST, IMM_DT),
    /** A SEND of one packet. */
    RC_SEND_ONLY(RC, 0x04, SEND, ONLY),
    /** The only packet of a SEND with immediate data. */
    RC_SEND_ONLY_WITH_IMMEDIATE(RC, 0x05, SEND, ONLY, IMM_DT),
    /** The first packet of an RDMA WRITE with several packets. */
    RC_RDMA_WRITE_FIRST(RC, 0x06, WRITE, FIRST, RETH),
    /** A packet between the first and the last packet of an RDMA WRITE. */
    RC_RDMA_WRITE_MIDDLE(RC, 0x07, WRITE, MIDDLE),
    /** The last packet of an RDMA WRITE with several packets. */
    RC_RDMA_WRITE_LAST(RC, 0x08, WRITE, LAST),
    /** The last of several packets of an RDMA WRITE with immediate data. */
    RC_RDMA_WRITE_LAST_WITH_IMMEDIATE(RC, 0x09, WRITE, LAST, IMM_DT),
    /** The only packet of an RDMA WRITE. */
    RC_RDMA_WRITE_ONLY(RC, 0x0a, WRITE, ONLY, RETH),
    /** The only packet of an RDMA WRITE with immediate data. */
    RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(RC, 0x0b, WRITE, ONLY, RETH, IMM_DT),
    /** An RDMA READ request. */
    RC_RDMA_READ_REQUEST(RC, 0x0c, READ_REQUEST, ONLY, RETH),
    /** The first packet of an RDMA READ response with several packets. */
    RC_RDMA_READ_RESPONSE_FIRST(RC, 0x0d, READ_RESPONSE, FIRST, AETH),
    /** A packet between the first and the last packet of an RDMA READ response. */
    RC_RDMA_READ_RESPONSE_MIDDLE(RC, 0x0e, READ_RESPONSE, MIDDLE),
    /** The last packet of an RDMA READ response with several packets. */
    RC_RDMA_READ_RESPONSE_LAST(RC, 0x0f, READ_RESPONSE, LAST, AETH),
    /**
     * The only packet of an RDMA READ response. The response to ATOMIC WRITE or FLUSH is a READ response without payload.
     */
    RC_RDMA_READ_RESPONSE_ONLY(RC, 0x10, READ_RESPONSE, ONLY, AETH),
    /** An ACK, NAK or RNR NAK, distinguished by the syndrome in the AETH. */
    RC_ACKNOWLEDGE(RC, 0x11, ACK, ONLY, AETH),
    /** The response to an atomic operation, with the value in the responder's memory before the operation. */
    RC_ATOMIC_ACKNOWLEDGE(RC, 0x12, ACK, ONLY, AETH, ATOMIC_ACK_ETH),
    /** Atomic compare and swap. */
    RC_COMPARE_SWAP(RC, 0x13, ATOMIC, ONLY, ATOMIC_ETH),
    /** Atomic fetch and add. */
    RC_FETCH_ADD(RC, 0x14, ATOMIC, ONLY, ATOMIC_ETH),
    /** The last of several packets of a SEND with Invalidate. The SEND invalidates an R_Key at the responder. */
    RC_SEND_LAST_WITH_INVALIDATE(RC, 0x16, SEND, LAST, IETH),
    /** The only packet of a SEND with Invalidate. The SEND invalidates an R_Key at the responder. */
    RC_SEND_ONLY_WITH_INVALIDATE(RC, 0x17, SEND, ONLY, IETH),
    /** A FLUSH request for a memory range or a whole memory region; the FETH contains the placement type. */
    RC_FLUSH(RC, 0x1c, FLUSH, ONLY, FETH, RETH),
    /** Atomic write of eight bytes. */
    RC_ATOMIC_WRITE(RC, 0x1d, ATOMIC_WRITE, ONLY, RETH),

    /** The first packet of a SEND with several packets. */
    UC_SEND_FIRST(UC, 0x20, SEND, FIRST),
    /** A packet between the first and the last packet of a SEND. */
    UC_SEND_MIDDLE(UC, 0x21, SEND, MIDDLE),
    /** The last packet of a SEND with several packets. */
    UC_SEND_LAST(UC, 0x22, SEND, LAST),
    /** The last of several packets of a SEND with immediate data. */
    UC_SEND_LAST_WITH_IMMEDIATE(UC, 0x23, SEND, LAST, IMM_DT),
    /** A SEND of one packet. */
    UC_SEND_ONLY(UC, 0x24, SEND, ONLY),
    /** The only packet of a SEND with immediate data. */
    UC_SEND_ONLY_WITH_IMMEDIATE(UC, 0x25, SEND, ONLY, IMM_DT),
    /** The first packet of an RDMA WRITE with several packets. */
    UC_RDMA_WRITE_FIRST(UC, 0x26, WRITE, FIRST, RETH),
    /** A packet between the first and the last packet of an RDMA WRITE. */
    UC_RDMA_WRITE_MIDDLE(UC, 0x27, WRITE, MIDDLE),
    /** The last packet of an RDMA WRITE with several packets. */
    UC_RDMA_WRITE_LAST(UC, 0x28, WRITE, LAST),
    /** The last of several packets of an RDMA WRITE with immediate data. */
    UC_RDMA_WRITE_LAST_WITH_IMMEDIATE(UC, 0x29, WRITE, LAST, IMM_DT),
    /** The only packet of an RDMA WRITE. */
    UC_RDMA_WRITE_ONLY(UC, 0x2a, WRITE, ONLY, RETH),
    /** The only packet of an RDMA WRITE with immediate data. */
    UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(UC, 0x2b, WRITE, ONLY, RETH, IMM_DT),

    /** A datagram. */
    UD_SEND_ONLY(UD, 0x64, SEND, ONLY, DETH),
    /** A datagram with immediate data. */
    UD_SEND_ONLY_WITH_IMMEDIATE(UD, 0x65, SEND, ONLY, DETH, IMM_DT),

    /** A congestion notification packet (CNP), neither request nor response, with BECN and 16 reserved payload bytes. */
    CNP(Transport.CNP, 0x81, CONGESTION, ONLY);

    private static final @Nullable Opcode[] BY_CODE = new @Nullable Opcode[0x100];

    static {
        for (Opcode opcode : values()) {
            BY_CODE[opcode.code] = opcode;
        }
    }

    private final Transport transport;
    private final int code;
    private final Kind kind;
    private final Position position;
    private final boolean payload;

    @SuppressWarnings("ImmutableEnumChecker") // Filled by the constructor, then only read.
    private final int[] offsets;

    private final int headerLength;

    Opcode(Transport transport, int code, Kind kind, Position position, Extension... extensions) {
        this.transport = transport;
        this.code = code;
        this.kind = kind;
        this.position = position;
        this.payload = switch (kind) {
            case SEND, WRITE, READ_RESPONSE, ATOMIC_WRITE, CONGESTION -> true;
            case READ_REQUEST, ACK, ATOMIC, FLUSH -> false;
        };
        offsets = new int[Extension.values().length];
        Arrays.fill(offsets, -1);
        int length = Bth.LENGTH;
        for (Extension extension : extensions) {
            offsets[extension.ordinal()] = length;
            length += extension.length();
        }
        headerLength = length;
    }

    /**
     * {@return the opcode with the given code; null if the code is reserved or its transport is not used on RoCEv2}
     *
     * @param code the first byte of a BTH, in the low 8 bits
     */
    public static @Nullable Opcode of(int code) {
        return BY_CODE[code & 0xff];
    }

    /** {@return the code of the opcode, 0..255: the first byte of a BTH} */
    public int code() {
        return code;
    }

    /** {@return the transport service, which must fit the type of the queue pair} */
    public Transport transport() {
        return transport;
    }

    /** {@return the length of the BTH and all extension headers in bytes, 12..40} */
    public int headerLength() {
        return headerLength;
    }

    /** {@return whether the responder handles the packet: it is neither a response nor a congestion notification} */
    public boolean isRequest() {
        return !isResponse() && kind != CONGESTION;
    }

    /** {@return whether the packet is an acknowledgement or an RDMA READ response, which the completer handles} */
    public boolean isResponse() {
        return kind == ACK || kind == READ_RESPONSE;
    }

    /** {@return whether the packet belongs to a SEND} */
    public boolean isSend() {
        return kind == SEND;
    }

    /** {@return whether the packet belongs to an RDMA WRITE; false for ATOMIC WRITE} */
    public boolean isWrite() {
        return kind == WRITE;
    }

    /** {@return whether the packet is an RDMA READ request} */
    public boolean isReadRequest() {
        return kind == READ_REQUEST;
    }

    /** {@return whether the packet is part of an RDMA READ response} */
    public boolean isReadResponse() {
        return kind == READ_RESPONSE;
    }

    /** {@return whether the packet requests compare and swap or fetch and add; false for ATOMIC WRITE} */
    public boolean isAtomic() {
        return kind == ATOMIC;
    }

    /** {@return whether the packet is an ATOMIC WRITE} */
    public boolean isAtomicWrite() {
        return kind == ATOMIC_WRITE;
    }

    /** {@return whether the packet is a FLUSH} */
    public boolean isFlush() {
        return kind == FLUSH;
    }

    /** {@return whether the packet is an ACKNOWLEDGE or ATOMIC ACKNOWLEDGE} */
    public boolean isAck() {
        return kind == ACK;
    }

    /** {@return whether the packet is the first packet of a message with several packets} */
    public boolean isFirst() {
        return position == FIRST;
    }

    /** {@return whether the packet is a packet of a message, but neither its first nor its last packet} */
    public boolean isMiddle() {
        return position == MIDDLE;
    }

    /** {@return whether the packet is the last packet of a message with several packets} */
    public boolean isLast() {
        return position == LAST;
    }

    /** {@return whether the packet is the only packet of its message} */
    public boolean isOnly() {
        return position == ONLY;
    }

    /** {@return whether a message begins with this packet, that is, the packet is "first" or "only"} */
    public boolean isStart() {
        return position == FIRST || position == ONLY;
    }

    /** {@return whether a message ends with this packet, that is, the packet is "last" or "only"} */
    public boolean isEnd() {
        return position == LAST || position == ONLY;
    }

    /**
     * {@return whether packets with this opcode have the given extension header}
     *
     * @param extension the extension header
     */
    public boolean has(Extension extension) {
        return offsets[extension.ordinal()] >= 0;
    }

    /**
     * {@return the offset of an extension header from the start of the BTH in bytes, or -1 if the opcode does not have it}
     *
     * @param extension the extension header
     */
    public int offset(Extension extension) {
        return offsets[extension.ordinal()];
    }

    /** {@return whether packets with this opcode have a payload, whose length may be 0} */
    public boolean hasPayload() {
        return payload;
    }

    /** {@return whether this packet needs a receive from the responder's receive queue} */
    public boolean needsReceive() {
        return (kind == SEND && isStart()) || (kind == WRITE && has(IMM_DT));
    }

    /** {@return whether this packet causes a receive completion at the responder} */
    public boolean completesReceive() {
        return (kind == SEND && isEnd()) || (kind == WRITE && has(IMM_DT));
    }

    enum Kind {
        SEND,
        WRITE,
        READ_REQUEST,
        READ_RESPONSE,
        ACK,
        ATOMIC,
        FLUSH,
        ATOMIC_WRITE,
        CONGESTION
    }

    enum Position {
        FIRST,
        MIDDLE,
        LAST,
        ONLY
    }
}
