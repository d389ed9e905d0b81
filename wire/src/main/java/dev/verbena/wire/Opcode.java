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
 * The BTH opcodes that RoCEv2 devices exchange. Each determines the extension headers and their offsets, the presence
 * of a payload, the packet's place in its message, and its effect on the responder's receive queue. InfiniBand
 * Architecture Specification, volume 1, chapter 9, table "OpCode field"; FLUSH and ATOMIC WRITE come from Annex A19,
 * CNP from Annex A17.
 *
 * <p>A packet is exactly one of first, middle, last and only. Requests that are always one packet (RDMA READ, atomics,
 * FLUSH) and acknowledgements are "only".
 */
public enum Opcode {
    /** First packet of a SEND of several packets. */
    RC_SEND_FIRST(RC, 0x00, SEND, FIRST),
    /** Neither first nor last packet of a SEND. */
    RC_SEND_MIDDLE(RC, 0x01, SEND, MIDDLE),
    /** Last packet of a SEND of several packets. */
    RC_SEND_LAST(RC, 0x02, SEND, LAST),
    /** Last packet of a SEND of several packets, with immediate data. */
    RC_SEND_LAST_WITH_IMMEDIATE(RC, 0x03, SEND, LAST, IMM_DT),
    /** A SEND of one packet. */
    RC_SEND_ONLY(RC, 0x04, SEND, ONLY),
    /** A SEND of one packet, with immediate data. */
    RC_SEND_ONLY_WITH_IMMEDIATE(RC, 0x05, SEND, ONLY, IMM_DT),
    /** First packet of an RDMA WRITE of several packets. */
    RC_RDMA_WRITE_FIRST(RC, 0x06, WRITE, FIRST, RETH),
    /** Neither first nor last packet of an RDMA WRITE. */
    RC_RDMA_WRITE_MIDDLE(RC, 0x07, WRITE, MIDDLE),
    /** Last packet of an RDMA WRITE of several packets. */
    RC_RDMA_WRITE_LAST(RC, 0x08, WRITE, LAST),
    /** Last packet of an RDMA WRITE of several packets, with immediate data. */
    RC_RDMA_WRITE_LAST_WITH_IMMEDIATE(RC, 0x09, WRITE, LAST, IMM_DT),
    /** An RDMA WRITE of one packet. */
    RC_RDMA_WRITE_ONLY(RC, 0x0a, WRITE, ONLY, RETH),
    /** An RDMA WRITE of one packet, with immediate data. */
    RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(RC, 0x0b, WRITE, ONLY, RETH, IMM_DT),
    /** An RDMA READ request. */
    RC_RDMA_READ_REQUEST(RC, 0x0c, READ_REQUEST, ONLY, RETH),
    /** First packet of an RDMA READ response of several packets. */
    RC_RDMA_READ_RESPONSE_FIRST(RC, 0x0d, READ_RESPONSE, FIRST, AETH),
    /** Neither first nor last packet of an RDMA READ response. */
    RC_RDMA_READ_RESPONSE_MIDDLE(RC, 0x0e, READ_RESPONSE, MIDDLE),
    /** Last packet of an RDMA READ response of several packets. */
    RC_RDMA_READ_RESPONSE_LAST(RC, 0x0f, READ_RESPONSE, LAST, AETH),
    /** An RDMA READ response of one packet; without payload also the answer to ATOMIC WRITE and FLUSH. */
    RC_RDMA_READ_RESPONSE_ONLY(RC, 0x10, READ_RESPONSE, ONLY, AETH),
    /** ACK, NAK or RNR NAK, distinguished by the AETH syndrome. */
    RC_ACKNOWLEDGE(RC, 0x11, ACK, ONLY, AETH),
    /** The answer to an atomic operation, with the value that was in memory before. */
    RC_ATOMIC_ACKNOWLEDGE(RC, 0x12, ACK, ONLY, AETH, ATOMIC_ACK_ETH),
    /** Atomic compare and swap. */
    RC_COMPARE_SWAP(RC, 0x13, ATOMIC, ONLY, ATOMIC_ETH),
    /** Atomic fetch and add. */
    RC_FETCH_ADD(RC, 0x14, ATOMIC, ONLY, ATOMIC_ETH),
    /** Last packet of a SEND of several packets, which invalidates an R_Key at the responder. */
    RC_SEND_LAST_WITH_INVALIDATE(RC, 0x16, SEND, LAST, IETH),
    /** A SEND of one packet, which invalidates an R_Key at the responder. */
    RC_SEND_ONLY_WITH_INVALIDATE(RC, 0x17, SEND, ONLY, IETH),
    /** FLUSH of a range or a whole memory region to a placement level. */
    RC_FLUSH(RC, 0x1c, FLUSH, ONLY, FETH, RETH),
    /** Atomic write of eight bytes. */
    RC_ATOMIC_WRITE(RC, 0x1d, ATOMIC_WRITE, ONLY, RETH),

    /** First packet of a SEND of several packets. */
    UC_SEND_FIRST(UC, 0x20, SEND, FIRST),
    /** Neither first nor last packet of a SEND. */
    UC_SEND_MIDDLE(UC, 0x21, SEND, MIDDLE),
    /** Last packet of a SEND of several packets. */
    UC_SEND_LAST(UC, 0x22, SEND, LAST),
    /** Last packet of a SEND of several packets, with immediate data. */
    UC_SEND_LAST_WITH_IMMEDIATE(UC, 0x23, SEND, LAST, IMM_DT),
    /** A SEND of one packet. */
    UC_SEND_ONLY(UC, 0x24, SEND, ONLY),
    /** A SEND of one packet, with immediate data. */
    UC_SEND_ONLY_WITH_IMMEDIATE(UC, 0x25, SEND, ONLY, IMM_DT),
    /** First packet of an RDMA WRITE of several packets. */
    UC_RDMA_WRITE_FIRST(UC, 0x26, WRITE, FIRST, RETH),
    /** Neither first nor last packet of an RDMA WRITE. */
    UC_RDMA_WRITE_MIDDLE(UC, 0x27, WRITE, MIDDLE),
    /** Last packet of an RDMA WRITE of several packets. */
    UC_RDMA_WRITE_LAST(UC, 0x28, WRITE, LAST),
    /** Last packet of an RDMA WRITE of several packets, with immediate data. */
    UC_RDMA_WRITE_LAST_WITH_IMMEDIATE(UC, 0x29, WRITE, LAST, IMM_DT),
    /** An RDMA WRITE of one packet. */
    UC_RDMA_WRITE_ONLY(UC, 0x2a, WRITE, ONLY, RETH),
    /** An RDMA WRITE of one packet, with immediate data. */
    UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(UC, 0x2b, WRITE, ONLY, RETH, IMM_DT),

    /** A datagram. */
    UD_SEND_ONLY(UD, 0x64, SEND, ONLY, DETH),
    /** A datagram with immediate data. */
    UD_SEND_ONLY_WITH_IMMEDIATE(UD, 0x65, SEND, ONLY, DETH, IMM_DT),

    /** Congestion notification: neither request nor response, BECN set, 16 reserved bytes as payload. */
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

    /** The extensions are given in the order in which they follow the BTH. */
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
     * Looks an opcode up. Allocates nothing.
     *
     * @param code the first byte of a BTH; low 8 bits count
     * @return the opcode, null if the code is reserved or of a transport that RoCEv2 devices do not exchange
     */
    public static @Nullable Opcode of(int code) {
        return BY_CODE[code & 0xff];
    }

    /** {@return the first byte of the BTH, 0..255} */
    public int code() {
        return code;
    }

    /** {@return the transport, which must fit the type of the queue pair} */
    public Transport transport() {
        return transport;
    }

    /** {@return length of the BTH and all extension headers in bytes, 12..40} */
    public int headerLength() {
        return headerLength;
    }

    /** {@return true if the responder receives this: neither a response nor a congestion notification} */
    public boolean isRequest() {
        return !isResponse() && kind != CONGESTION;
    }

    /** {@return true if the completer receives this: acknowledgements and RDMA READ responses} */
    public boolean isResponse() {
        return kind == ACK || kind == READ_RESPONSE;
    }

    /** {@return true for every SEND, of any transport} */
    public boolean isSend() {
        return kind == SEND;
    }

    /** {@return true for every RDMA WRITE, but not for ATOMIC WRITE} */
    public boolean isWrite() {
        return kind == WRITE;
    }

    /** {@return true for the RDMA READ request} */
    public boolean isReadRequest() {
        return kind == READ_REQUEST;
    }

    /** {@return true for RDMA READ responses} */
    public boolean isReadResponse() {
        return kind == READ_RESPONSE;
    }

    /** {@return true for the requests compare and swap and fetch and add, but not for ATOMIC WRITE} */
    public boolean isAtomic() {
        return kind == ATOMIC;
    }

    /** {@return true for ATOMIC WRITE} */
    public boolean isAtomicWrite() {
        return kind == ATOMIC_WRITE;
    }

    /** {@return true for FLUSH} */
    public boolean isFlush() {
        return kind == FLUSH;
    }

    /** {@return true for ACKNOWLEDGE and ATOMIC ACKNOWLEDGE} */
    public boolean isAck() {
        return kind == ACK;
    }

    /** {@return true for the first of several packets} */
    public boolean isFirst() {
        return position == FIRST;
    }

    /** {@return true for a packet that is neither first nor last} */
    public boolean isMiddle() {
        return position == MIDDLE;
    }

    /** {@return true for the last of several packets} */
    public boolean isLast() {
        return position == LAST;
    }

    /** {@return true for a packet that is first and last at once} */
    public boolean isOnly() {
        return position == ONLY;
    }

    /** {@return true if a message begins with this packet: first or only} */
    public boolean isStart() {
        return position == FIRST || position == ONLY;
    }

    /** {@return true if a message ends with this packet: last or only} */
    public boolean isEnd() {
        return position == LAST || position == ONLY;
    }

    /**
     * Returns whether there is an extension header.
     *
     * @param extension the header
     * @return true if packets with this opcode have it
     */
    public boolean has(Extension extension) {
        return offsets[extension.ordinal()] >= 0;
    }

    /**
     * Returns the place of an extension header.
     *
     * @param extension the header
     * @return bytes from the start of the BTH, -1 if packets with this opcode have none
     */
    public int offset(Extension extension) {
        return offsets[extension.ordinal()];
    }

    /** {@return true if data follows the headers (of a length that may be 0)} */
    public boolean hasPayload() {
        return payload;
    }

    /** {@return true if this packet takes a work request off the receive queue of the responder} */
    public boolean needsReceive() {
        return (kind == SEND && isStart()) || (kind == WRITE && has(IMM_DT));
    }

    /** {@return true if this packet makes a receive completion at the responder} */
    public boolean completesReceive() {
        return (kind == SEND && isEnd()) || (kind == WRITE && has(IMM_DT));
    }

    /** The operation of the packet. */
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

    /** The place of the packet in its message. */
    enum Position {
        FIRST,
        MIDDLE,
        LAST,
        ONLY
    }
}
