// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import dev.verbena.lnet.LnetHeader;
import dev.verbena.lnet.Nid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A flyweight over a complete o2iblnd message, with a flyweight for the header and for each structure of a message body.
 *
 * <pre>
 *                48                      120            128
 *  CONNREQ/ACK   connparams 8
 *  NOOP
 *  IMMEDIATE     LNet header 72          payload
 *  PUT_REQ       LNet header 72          cookie 8
 *  PUT_ACK       src_cookie 8, dst_cookie 8, descriptor at 64
 *  GET_REQ       LNet header 72          cookie 8       descriptor
 *  PUT_NAK, PUT_DONE, GET_DONE
 *                completion 12
 * </pre>
 *
 * <p>To read a message, call {@link #wrap} and {@link #parse}; if the message is valid, read the fields that its type has.
 * To write a message, call {@link #wrap} and {@link #begin}, set the fields of the body, and call {@link #finish}.
 *
 * <p>Not thread-safe. Source: {@code struct kib_msg}, {@code kiblnd_pack_msg}, {@code kiblnd_unpack_msg}.
 */
public final class LndMessage {

    /** The offset of the body in an o2iblnd message, after the header, in bytes. */
    public static final int BODY = MessageHeader.LENGTH;

    /** The offset of the payload in an IMMEDIATE message, in bytes. */
    public static final int IMMEDIATE_PAYLOAD = BODY + LnetHeader.LENGTH;

    static final int REQUEST_COOKIE = BODY + LnetHeader.LENGTH;
    static final int GET_REQ_DESCRIPTOR = REQUEST_COOKIE + Long.BYTES;
    static final int PUT_ACK_SOURCE_COOKIE = BODY;
    static final int PUT_ACK_SINK_COOKIE = BODY + Long.BYTES;
    static final int PUT_ACK_DESCRIPTOR = BODY + 2 * Long.BYTES;

    private final MessageHeader header = new MessageHeader();
    private final ConnParams connParams = new ConnParams();
    private final LnetHeader lnetHeader = new LnetHeader();
    private final Completion completion = new Completion();
    private final RdmaDescriptor descriptor = new RdmaDescriptor();
    private final int maxFragments;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private @Nullable MessageType type;

    /** Creates a flyweight without a message, for RDMA descriptors with up to {@link Protocol#MAX_FRAGMENTS} fragments. */
    public LndMessage() {
        this(Protocol.MAX_FRAGMENTS);
    }

    /**
     * Creates a flyweight without a message. Call {@link #wrap} before {@link #parse} or {@link #begin}.
     *
     * @param maxFragments the maximum number of fragments of a valid RDMA descriptor
     */
    public LndMessage(int maxFragments) {
        this.maxFragments = maxFragments;
    }

    /**
     * {@return this object, now over the given bytes. Before the fields are used, call {@link #parse} for a received
     * message, or {@link #begin} for a new message}
     *
     * @param bytes the memory that contains the message
     * @param start the offset of the message from the start of the memory segment, in bytes
     */
    public LndMessage wrap(MemorySegment bytes, long start) {
        segment = bytes;
        offset = start;
        type = null;
        return this;
    }

    /** Detaches this flyweight from its message until the next {@link #parse} or {@link #begin}. */
    public void unwrap() {
        type = null;
    }

    /**
     * Checks the bytes of a received o2iblnd message, and determines the type and the byte order of the message. Never
     * throws an exception, whatever the bytes contain.
     *
     * @param received the number of received bytes; may exceed the length of the message, because CM pads private data
     * @return the first parse error in the order of the constants of {@link MessageDefect}, or {@link MessageDefect#NONE}
     */
    public MessageDefect parse(long received) {
        MessageDefect defect = MessageValidation.check(this, segment, offset, received, maxFragments);
        type = defect == MessageDefect.NONE ? MessageType.of(header.typeCode()) : null;
        return defect;
    }

    /**
     * {@return whether this flyweight refers to a message at the given offset in memory. A flyweight refers to a message
     * after {@link #begin} or a successful {@link #parse}, until {@link #wrap}, {@link #unwrap} or a failed {@link #parse}}
     *
     * @param bytes the memory that contains the message
     * @param start the offset of the message from the start of the memory segment, in bytes
     */
    public boolean isOver(MemorySegment bytes, long start) {
        return type != null && offset == start && Objects.equals(segment, bytes);
    }

    /**
     * Checks whether the NIDs and incarnations in a parsed message are those of a connection.
     *
     * @param localNid the NID of this node's network interface
     * @param localStamp the incarnation of this node
     * @param peerNid the NID of the peer's network interface
     * @param peerStamp the incarnation of the peer when the connection was established
     * @return the first protocol error, or {@link MessageDefect#NONE}
     */
    public MessageDefect checkSession(Nid localNid, long localStamp, Nid peerNid, long peerStamp) {
        if (header.i64(MessageHeader.SRCNID) != peerNid.value()
                || header.i64(MessageHeader.DSTNID) != localNid.value()) {
            return MessageDefect.WRONG_NID;
        }
        if (header.sourceStamp() != peerStamp || header.destinationStamp() != localStamp) {
            return MessageDefect.WRONG_STAMP;
        }
        return type().isConnectionMessage() ? MessageDefect.TYPE_NOT_ON_QP : MessageDefect.NONE;
    }

    /**
     * {@return this object, which now refers to a new little-endian message}
     *
     * @param messageType the type of the message
     */
    public LndMessage begin(MessageType messageType) {
        return begin(messageType, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * {@return this object, which now refers to a new message of the minimum length with magic, version, type and length;
     * all other bytes are 0}
     *
     * @param messageType the type of the message
     * @param order the byte order of the message
     */
    public LndMessage begin(MessageType messageType, ByteOrder order) {
        boolean bigEndian = order == ByteOrder.BIG_ENDIAN;
        layOut(bigEndian);
        placeBody(messageType);
        type = messageType;
        Blank.write(messageType, bigEndian, segment, offset);
        return this;
    }

    /**
     * {@return this object; this method sets the length of an IMMEDIATE message for the given payload length}
     *
     * @param payloadLength the length of the payload in bytes
     */
    public LndMessage payloadLength(long payloadLength) {
        header.length(IMMEDIATE_PAYLOAD + payloadLength);
        return this;
    }

    /**
     * {@return the RDMA descriptor of this message; this method sets the key, the number of fragments and the message
     * length, and the caller must set each fragment}
     *
     * @param rkey the key of all fragments
     * @param fragments the number of fragments
     */
    public RdmaDescriptor describe(int rkey, int fragments) {
        header.length(type().minimumLength() + (long) fragments * RdmaDescriptor.FRAGMENT_LENGTH);
        return descriptor.key(rkey).fragmentCount(fragments);
    }

    /**
     * Computes and writes the checksum of this message. Before this call, the caller must set all fields except the
     * checksum.
     *
     * @param checksum the type of checksum, or null for a message without checksum
     */
    public void finish(@Nullable Checksum checksum) {
        header.checksum(checksum == null ? 0 : checksum.compute(segment, offset, header.length()));
    }

    void layOut(boolean bigEndian) {
        header.view(segment, offset, bigEndian);
    }

    /** Sets the offsets of the flyweights for the body of a message of the given type. Changes no other flyweight. */
    void placeBody(MessageType of) {
        boolean bigEndian = header.isBigEndian();
        switch (of) {
            case CONNREQ, CONNACK -> connParams.view(segment, offset + BODY, bigEndian);
            case NOOP -> {}
            case IMMEDIATE, PUT_REQ -> lnetHeader.wrap(segment, offset + BODY);
            case GET_REQ -> {
                lnetHeader.wrap(segment, offset + BODY);
                descriptor.view(segment, offset + GET_REQ_DESCRIPTOR, bigEndian);
            }
            case PUT_ACK -> descriptor.view(segment, offset + PUT_ACK_DESCRIPTOR, bigEndian);
            case PUT_NAK, PUT_DONE, GET_DONE -> completion.view(segment, offset + BODY, bigEndian);
        }
    }

    /**
     * {@return the type of the message}
     *
     * @throws IllegalStateException if this flyweight refers to no message. A flyweight refers to a message after
     *     {@link #begin} or a successful {@link #parse}, until {@link #wrap}, {@link #unwrap} or a failed {@link #parse}
     */
    public MessageType type() {
        if (type == null) {
            throw new IllegalStateException("the view has no message; call begin(), or parse() a valid message");
        }
        return type;
    }

    /** {@return the byte order of the host that wrote the message} */
    public ByteOrder order() {
        return header.isBigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /** {@return the flyweight of this message's header; each call returns the same object} */
    public MessageHeader header() {
        return header;
    }

    /** {@return the message body, always the same object; its content is valid only in CONNREQ and CONNACK} */
    public ConnParams connParams() {
        return connParams;
    }

    /** {@return the LNet header, always the same object; its content is valid only in IMMEDIATE, PUT_REQ and GET_REQ} */
    public LnetHeader lnetHeader() {
        return lnetHeader;
    }

    /** {@return the message body, always the same object; its content is valid only in PUT_NAK, PUT_DONE and GET_DONE} */
    public Completion completion() {
        return completion;
    }

    /** {@return the RDMA descriptor, always the same object; its content is valid only in PUT_ACK and GET_REQ} */
    public RdmaDescriptor descriptor() {
        return descriptor;
    }

    /** {@return the length of an IMMEDIATE's payload in bytes; may exceed the length in the LNet header} */
    public long payloadLength() {
        return header.length() - IMMEDIATE_PAYLOAD;
    }

    /** {@return the cookie in a PUT_REQ or GET_REQ; 8 opaque bytes} */
    public long requestCookie() {
        return header.opaque(REQUEST_COOKIE);
    }

    /**
     * Sets the cookie in a PUT_REQ or GET_REQ.
     *
     * @param cookie 8 opaque bytes
     */
    public void requestCookie(long cookie) {
        header.opaque(REQUEST_COOKIE, cookie);
    }

    /** {@return the source cookie in a PUT_ACK: 8 opaque bytes, copied from the cookie in the PUT_REQ} */
    public long sourceCookie() {
        return header.opaque(PUT_ACK_SOURCE_COOKIE);
    }

    /** {@return the destination cookie in a PUT_ACK: 8 opaque bytes that the PUT_DONE must contain} */
    public long sinkCookie() {
        return header.opaque(PUT_ACK_SINK_COOKIE);
    }

    /**
     * Sets the cookies of PUT_ACK.
     *
     * @param source the cookie of the PUT_REQ
     * @param sink the destination cookie; the PUT_DONE must contain this cookie
     */
    public void putAckCookies(long source, long sink) {
        header.opaque(PUT_ACK_SOURCE_COOKIE, source);
        header.opaque(PUT_ACK_SINK_COOKIE, sink);
    }

    @Override
    public String toString() {
        if (type == null) {
            return "no valid message";
        }
        return header
                + switch (type) {
                    case CONNREQ, CONNACK -> " " + connParams;
                    case NOOP -> "";
                    case IMMEDIATE -> " " + lnetHeader;
                    case PUT_REQ -> " cookie 0x" + Long.toHexString(requestCookie()) + " " + lnetHeader;
                    case GET_REQ ->
                        " cookie 0x" + Long.toHexString(requestCookie()) + " " + descriptor + " " + lnetHeader;
                    case PUT_ACK ->
                        " cookies 0x" + Long.toHexString(sourceCookie()) + "/0x" + Long.toHexString(sinkCookie()) + " "
                                + descriptor;
                    case PUT_NAK, PUT_DONE, GET_DONE -> " " + completion;
                };
    }
}
