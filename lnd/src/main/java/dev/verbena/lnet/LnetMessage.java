// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * A message within a node's LNet: the fields of the LNet header, and the payload. Unsigned 32-bit lengths and offsets
 * of the LNet header are stored as {@code int}.
 *
 * <p>LNet creates messages, and LNDs read them. Only one thread at a time uses a message. A thread passes a message to
 * another thread under a lock.
 */
public final class LnetMessage {

    private LnetMessageType type;
    private ProcessId source;
    private ProcessId destination;
    private WireHandle handle = WireHandle.NONE;
    private int remoteOffset;

    private PayloadVector payload = PayloadVector.EMPTY;
    private long payloadOffset;
    private int payloadLength;

    private @Nullable MemoryDescriptor memoryDescriptor;
    private boolean acknowledge;

    private LnetEventType eventType = LnetEventType.SEND;
    private @Nullable LnetMessageType eventMessageType;
    private ProcessId initiator;
    private ProcessId target;
    private byte portal = -1;
    private long matchBits;
    private long hdrData;
    private int requestedLength;
    private int length;
    private long offset;

    LnetMessage(LnetMessageType type, ProcessId source, ProcessId destination) {
        this.type = type;
        this.source = source;
        this.destination = destination;
        initiator = source;
        target = destination;
    }

    /** Converts the message object of a received PUT to its ACK, or of a received GET to its REPLY. */
    void answer(LnetMessageType answer, ProcessId from) {
        type = answer;
        destination = source;
        source = from;
    }

    /**
     * Writes the LNet header of a message that LNet passed to {@link Lnd#send}.
     *
     * @param header the flyweight over the LNet header; this method writes all bytes of the header
     */
    public void writeHeader(LnetHeader header) {
        header.clearUnused(type)
                .type(type)
                .source(source)
                .destination(destination)
                .payloadLength(payloadLength)
                .handle(handle);
        switch (type) {
            case ACK -> header.matchBits(matchBits).ackLength(Integer.toUnsignedLong(length));
            case PUT ->
                header.matchBits(matchBits)
                        .putHdrData(hdrData)
                        .putPortal(portal)
                        .putOffset(Integer.toUnsignedLong(remoteOffset));
            case GET ->
                header.matchBits(matchBits)
                        .getPortal(portal)
                        .getOffset(Integer.toUnsignedLong(remoteOffset))
                        .getSinkLength(sink().length());
            case REPLY, HELLO -> {}
        }
    }

    /** {@return the message type in the LNet header} */
    public LnetMessageType type() {
        return type;
    }

    ProcessId source() {
        return source;
    }

    ProcessId destination() {
        return destination;
    }

    void handle(WireHandle of) {
        handle = of;
    }

    void remoteOffset(long bytes) {
        remoteOffset = (int) bytes;
    }

    /** {@return the NID of the next hop; because routers are not supported, the next hop is the destination} */
    public Nid nextHop() {
        return destination.nid();
    }

    /** {@return the buffer that contains the payload, which begins at {@link #payloadOffset}} */
    public PayloadVector payload() {
        return payload;
    }

    /** {@return the offset of the payload in {@link #payload}, 0 or more} */
    public long payloadOffset() {
        return payloadOffset;
    }

    /** {@return the length of the payload in bytes, 0 to {@link Lnd#MAX_PAYLOAD}; 0 for a GET that is to be sent} */
    public long payloadLength() {
        return payloadLength;
    }

    /**
     * {@return the buffer to which a GET transfers data: the buffer of its memory descriptor}
     *
     * @throws IllegalStateException if the message has no memory descriptor
     */
    public PayloadVector sink() {
        return attachedDescriptor().memory();
    }

    MemoryDescriptor attachedDescriptor() {
        if (memoryDescriptor == null) {
            throw new IllegalStateException("message has no memory descriptor: " + this);
        }
        return memoryDescriptor;
    }

    @Nullable MemoryDescriptor memoryDescriptor() {
        return memoryDescriptor;
    }

    void attach(MemoryDescriptor md, long nextOffset) {
        memoryDescriptor = md;
        md.begin(nextOffset);
    }

    void detach() {
        memoryDescriptor = null;
    }

    void payload(PayloadVector memory, long start, long bytes) {
        payload = memory;
        payloadOffset = start;
        payloadLength = (int) bytes;
    }

    boolean acknowledge() {
        return acknowledge;
    }

    void acknowledge(boolean wanted) {
        acknowledge = wanted;
    }

    /** Sets fields of the LNet event that LNet creates when this message is finalized. */
    void describe(LnetEventType event, @Nullable LnetMessageType messageType, int portalIndex, long bits, long data) {
        eventType = event;
        eventMessageType = messageType;
        portal = (byte) portalIndex;
        matchBits = bits;
        hdrData = data;
    }

    void range(long requested, long moved, long at) {
        requestedLength = (int) requested;
        length = (int) moved;
        offset = at;
    }

    void movedLength(long moved) {
        length = (int) moved;
    }

    LnetEvent event(MemoryDescriptor md, int status, boolean unlinked) {
        return new LnetEvent(
                eventType,
                md,
                eventMessageType,
                initiator,
                target,
                portal,
                matchBits,
                hdrData,
                Integer.toUnsignedLong(requestedLength),
                Integer.toUnsignedLong(length),
                offset,
                status,
                unlinked);
    }

    @Override
    public String toString() {
        return type + " " + source + " -> " + destination + " payload " + payloadLength;
    }
}
