package dev.verbena.lnet;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One LNet message on its way through a node: a header, the next hop, and the memory of the descriptor it works on.
 *
 * <p>Made by LNet, read by drivers. Used only under the node's lock.
 */
public final class LnetMessage {

    private final LnetHeader header = new LnetHeader().wrap(MemorySegment.ofArray(new byte[LnetHeader.LENGTH]), 0);

    private Nid nextHop = Nid.ANY;
    private PayloadVector payload = PayloadVector.EMPTY;
    private long payloadOffset;
    private long payloadLength;

    private @Nullable MemoryDescriptor memoryDescriptor;
    private boolean acknowledge;

    private LnetEventType eventType = LnetEventType.SEND;
    private @Nullable LnetMessageType eventMessageType;
    private ProcessId initiator = ProcessId.ANY;
    private ProcessId target = ProcessId.ANY;
    private int portal = -1;
    private long matchBits;
    private long hdrData;
    private long requestedLength;
    private long length;
    private long offset;

    LnetMessage() {}

    /**
     * The LNet header; complete in a message given to a driver to send.
     *
     * @return a view of this message's own bytes
     */
    public LnetHeader header() {
        return header;
    }

    /**
     * The type in the header.
     *
     * @return the type
     */
    public LnetMessageType type() {
        LnetMessageType type = LnetMessageType.of(header.typeCode());
        if (type == null) {
            throw new IllegalStateException("message without a valid type: " + header);
        }
        return type;
    }

    /**
     * The interface to send to.
     *
     * @return a NID on the driver's network
     */
    public Nid nextHop() {
        return nextHop;
    }

    /**
     * The memory that holds the payload to send, or that the received payload goes to.
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
            throw new IllegalStateException("message works on no memory descriptor: " + header);
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
        payloadLength = bytes;
    }

    boolean acknowledge() {
        return acknowledge;
    }

    void acknowledge(boolean wanted) {
        acknowledge = wanted;
    }

    void nextHop(Nid hop) {
        nextHop = hop;
    }

    /** Remembers what the event at this message's end will say about the operation. */
    void describe(LnetEventType type, @Nullable LnetMessageType messageType, int portalIndex, long bits, long data) {
        eventType = type;
        eventMessageType = messageType;
        initiator = header.source();
        target = header.destination();
        portal = portalIndex;
        matchBits = bits;
        hdrData = data;
    }

    void processes(ProcessId from, ProcessId to) {
        initiator = from;
        target = to;
    }

    void range(long requested, long moved, long at) {
        requestedLength = requested;
        length = moved;
        offset = at;
    }

    void movedLength(long moved) {
        length = moved;
    }

    long movedLength() {
        return length;
    }

    long matchBits() {
        return matchBits;
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
                requestedLength,
                length,
                offset,
                status,
                unlinked);
    }

    @Override
    public String toString() {
        return header.toString();
    }
}
