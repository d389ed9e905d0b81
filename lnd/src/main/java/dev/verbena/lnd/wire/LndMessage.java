// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import dev.verbena.lnet.LnetHeader;
import dev.verbena.lnet.Nid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A whole message: the header and a view of each part a body can have.
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
 * <p>To read: {@link #wrap}, {@link #parse}, and, if that finds nothing wrong, the parts of {@link #type()}. To write:
 * {@link #begin}, the parts, {@link #finish}. The views are made once and moved from message to message.
 *
 * <p>Not thread-safe. Source: {@code struct kib_msg}, {@code kiblnd_pack_msg}, {@code kiblnd_unpack_msg}.
 */
public final class LndMessage {

    /** Where the body starts. */
    public static final int BODY = MessageHeader.LENGTH;

    /** Where the payload of an IMMEDIATE starts. */
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

    /** Creates a view of nothing that lets descriptors have as many fragments as the protocol does. */
    public LndMessage() {
        this(Protocol.MAX_FRAGMENTS);
    }

    /**
     * Creates a view of nothing.
     *
     * @param maxFragments the most fragments a descriptor may have
     */
    public LndMessage(int maxFragments) {
        this.maxFragments = maxFragments;
    }

    /**
     * Lays this view over bytes; {@link #parse} or {@link #begin} comes next.
     *
     * @param bytes holds the message
     * @param start where it starts
     * @return this
     */
    public LndMessage wrap(MemorySegment bytes, long start) {
        segment = bytes;
        offset = start;
        type = null;
        return this;
    }

    /** Clears a view that is reused for many messages: it has no message until the next one. */
    public void unwrap() {
        type = null;
    }

    /**
     * Checks received bytes and determines type and byte order. Never throws, for any bytes.
     *
     * @param received how many bytes arrived; more than the message's length is legal, since CM pads private data
     * @return the first defect in the order of the constants, or {@link MessageDefect#NONE}
     */
    public MessageDefect parse(long received) {
        MessageDefect defect = MessageValidation.check(this, segment, offset, received, maxFragments);
        type = defect == MessageDefect.NONE ? MessageType.of(header.typeCode()) : null;
        return defect;
    }

    /**
     * Returns whether this view is over certain bytes, and they hold a message that was parsed without a defect or
     * begun.
     *
     * @param bytes holds the message
     * @param start where it starts
     * @return true if {@link #type} and the parts are those of that message
     */
    public boolean isOver(MemorySegment bytes, long start) {
        return type != null && offset == start && Objects.equals(segment, bytes);
    }

    /**
     * Checks that a parsed message belongs to a connection.
     *
     * @param localNid our interface
     * @param localStamp our incarnation
     * @param peerNid the peer's interface
     * @param peerStamp the peer's incarnation when it connected
     * @return the first defect, or {@link MessageDefect#NONE}
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
     * Starts a message to send, in little-endian order.
     *
     * @param messageType its type
     * @return this
     */
    public LndMessage begin(MessageType messageType) {
        return begin(messageType, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Starts a message: zeros the shortest form and sets magic, version, type and length.
     *
     * @param messageType its type
     * @param order the byte order to write in
     * @return this
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
     * Sets the length of a message that is longer than the shortest of its type.
     *
     * @param payloadLength bytes of payload of an IMMEDIATE
     * @return this
     */
    public LndMessage payloadLength(long payloadLength) {
        header.length(IMMEDIATE_PAYLOAD + payloadLength);
        return this;
    }

    /**
     * Sets the descriptor's key and number of fragments, and the message's length with it; the fragments come next.
     *
     * @param rkey the key of all fragments
     * @param fragments how many there will be
     * @return the descriptor
     */
    public RdmaDescriptor describe(int rkey, int fragments) {
        header.length(type().minimumLength() + (long) fragments * RdmaDescriptor.FRAGMENT_LENGTH);
        return descriptor.key(rkey).fragmentCount(fragments);
    }

    /**
     * Writes the checksum into a message that is complete otherwise.
     *
     * @param checksum how the receiver reads {@code char}, or null to send none
     */
    public void finish(@Nullable Checksum checksum) {
        header.checksum(checksum == null ? 0 : checksum.compute(segment, offset, header.length()));
    }

    void layOut(boolean bigEndian) {
        header.view(segment, offset, bigEndian);
    }

    /** Positions the views of the parts that a type has; the other views do not change. */
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
     * The type, of a message that was parsed without a defect or begun.
     *
     * @return the type
     * @throws IllegalStateException if the message is neither
     */
    public MessageType type() {
        if (type == null) {
            throw new IllegalStateException("the message was neither parsed without a defect nor begun");
        }
        return type;
    }

    /** {@return the byte order of the host that wrote the message} */
    public ByteOrder order() {
        return header.isBigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /** {@return the view of the header, the same one every time} */
    public MessageHeader header() {
        return header;
    }

    /**
     * The body of CONNREQ and CONNACK; a view of nothing in particular in other messages.
     *
     * @return the same view every time
     */
    public ConnParams connParams() {
        return connParams;
    }

    /**
     * The LNet header in IMMEDIATE, PUT_REQ and GET_REQ; a view of nothing in particular in other messages.
     *
     * @return the same view every time
     */
    public LnetHeader lnetHeader() {
        return lnetHeader;
    }

    /**
     * The body of PUT_NAK, PUT_DONE and GET_DONE; a view of nothing in particular in other messages.
     *
     * @return the same view every time
     */
    public Completion completion() {
        return completion;
    }

    /**
     * The descriptor in PUT_ACK and GET_REQ; a view of nothing in particular in other messages.
     *
     * @return the same view every time
     */
    public RdmaDescriptor descriptor() {
        return descriptor;
    }

    /** {@return the bytes of payload in an IMMEDIATE; from a correct sender at least the length in its LNet header} */
    public long payloadLength() {
        return header.length() - IMMEDIATE_PAYLOAD;
    }

    /** {@return the cookie of PUT_REQ and GET_REQ, 8 opaque bytes} */
    public long requestCookie() {
        return header.opaque(REQUEST_COOKIE);
    }

    /**
     * Sets the cookie of PUT_REQ and GET_REQ.
     *
     * @param cookie 8 opaque bytes
     */
    public void requestCookie(long cookie) {
        header.opaque(REQUEST_COOKIE, cookie);
    }

    /** {@return the cookie of PUT_REQ that a PUT_ACK echoes, 8 opaque bytes} */
    public long sourceCookie() {
        return header.opaque(PUT_ACK_SOURCE_COOKIE);
    }

    /** {@return the sink's own cookie in a PUT_ACK, 8 opaque bytes to be echoed by PUT_DONE} */
    public long sinkCookie() {
        return header.opaque(PUT_ACK_SINK_COOKIE);
    }

    /**
     * Sets the cookies of PUT_ACK.
     *
     * @param source the cookie of PUT_REQ
     * @param sink the sink's own
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
