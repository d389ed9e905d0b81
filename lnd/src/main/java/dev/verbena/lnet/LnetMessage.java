// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * One LNet message in a node: the fields of its header, and the memory of its descriptor. Lengths and offsets that are
 * unsigned 32-bit numbers in a header are kept as such.
 *
 * <p>Made by LNet, read by drivers. Used by one thread at a time, which hands it on under a lock.
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

    /** Makes a message of an operation that its source has begun. */
    LnetMessage(LnetMessageType type, ProcessId source, ProcessId destination) {
        this.type = type;
        this.source = source;
        this.destination = destination;
        initiator = source;
        target = destination;
    }

    /** Turns a received message into the answer to it. */
    void answer(LnetMessageType answer, ProcessId from) {
        type = answer;
        destination = source;
        source = from;
    }

    /**
     * Writes the header of a message that was given to a driver to send.
     *
     * @param header receives all of it
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

    /** {@return the type in the header} */
    public LnetMessageType type() {
        return type;
    }

    ProcessId source() {
        return source;
    }

    ProcessId destination() {
        return destination;
    }

    /** Names the descriptor that an answer is for. */
    void handle(WireHandle of) {
        handle = of;
    }

    /** Sets the offset of an operation in a remotely managed descriptor. */
    void remoteOffset(long bytes) {
        remoteOffset = (int) bytes;
    }

    /**
     * Returns the interface to send to: that of the destination, since routers are not supported.
     *
     * @return a NID on the driver's network
     */
    public Nid nextHop() {
        return destination.nid();
    }

    /**
     * The memory of the payload to send, or for the received payload.
     *
     * @return memory of which the range at {@link #payloadOffset} counts
     */
    public PayloadVector payload() {
        return payload;
    }

    /**
     * Where in {@link #payload} this message's bytes start.
     *
     * @return 0 or more
     */
    public long payloadOffset() {
        return payloadOffset;
    }

    /**
     * Bytes of payload to send or to take.
     *
     * @return 0 to {@link Lnd#MAX_PAYLOAD}; for a GET on its way out 0
     */
    public long payloadLength() {
        return payloadLength;
    }

    /**
     * The memory that a GET fetches into: the whole of its descriptor.
     *
     * @return the sink
     * @throws IllegalStateException if this message works on no descriptor
     */
    public PayloadVector sink() {
        return attachedDescriptor().memory();
    }

    MemoryDescriptor attachedDescriptor() {
        if (memoryDescriptor == null) {
            throw new IllegalStateException("message works on no memory descriptor: " + this);
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

    /** Records the values that the event at this message's end will report. */
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
