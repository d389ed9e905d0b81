// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a memory descriptor. Source: Lustre's {@code struct lnet_event}.
 */
public final class LnetEvent {

    private final LnetEventType type;
    private final MemoryDescriptor memoryDescriptor;
    private final @Nullable LnetMessageType messageType;
    private final ProcessId initiator;
    private final ProcessId target;
    private final int portal;
    private final long matchBits;
    private final long hdrData;
    private final long requestedLength;
    private final long length;
    private final long offset;
    private final int status;
    private final boolean unlinked;

    LnetEvent(
            LnetEventType type,
            MemoryDescriptor memoryDescriptor,
            @Nullable LnetMessageType messageType,
            ProcessId initiator,
            ProcessId target,
            int portal,
            long matchBits,
            long hdrData,
            long requestedLength,
            long length,
            long offset,
            int status,
            boolean unlinked) {
        this.type = type;
        this.memoryDescriptor = memoryDescriptor;
        this.messageType = messageType;
        this.initiator = initiator;
        this.target = target;
        this.portal = portal;
        this.matchBits = matchBits;
        this.hdrData = hdrData;
        this.requestedLength = requestedLength;
        this.length = length;
        this.offset = offset;
        this.status = status;
        this.unlinked = unlinked;
    }

    /** The attributes, for {@code equals}, {@code hashCode} and {@code toString}. */
    private record Values(
            LnetEventType type,
            MemoryDescriptor memoryDescriptor,
            @Nullable LnetMessageType messageType,
            ProcessId initiator,
            ProcessId target,
            int portal,
            long matchBits,
            long hdrData,
            long requestedLength,
            long length,
            long offset,
            int status,
            boolean unlinked) {}

    private Values values() {
        return new Values(
                type,
                memoryDescriptor,
                messageType,
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

    /** {@return what happened} */
    public LnetEventType type() {
        return type;
    }

    /** {@return the descriptor it happened to} */
    public MemoryDescriptor memoryDescriptor() {
        return memoryDescriptor;
    }

    /** {@return for SEND the type of message that was sent, else the type of the one received; null for UNLINK} */
    public @Nullable LnetMessageType messageType() {
        return messageType;
    }

    /** {@return who started the operation} */
    public ProcessId initiator() {
        return initiator;
    }

    /** {@return whom it was for} */
    public ProcessId target() {
        return target;
    }

    /** {@return the target portal of a PUT or GET, -1 where it is not known} */
    public int portal() {
        return portal;
    }

    /** {@return match bits of the operation; for ACK those in the ACK; 0 for REPLY} */
    public long matchBits() {
        return matchBits;
    }

    /** {@return the initiator's word in a PUT, else 0} */
    public long hdrData() {
        return hdrData;
    }

    /** {@return bytes the operation asked for} */
    public long requestedLength() {
        return requestedLength;
    }

    /** {@return bytes really moved; smaller when truncated} */
    public long length() {
        return length;
    }

    /** {@return where in the descriptor} */
    public long offset() {
        return offset;
    }

    /** {@return 0, or a negative errno as Linux numbers them} */
    public int status() {
        return status;
    }

    /** {@return whether this is the descriptor's last event} */
    public boolean unlinked() {
        return unlinked;
    }

    /**
     * Returns whether the operation succeeded.
     *
     * @return true if {@link #status} is 0
     */
    public boolean isSuccess() {
        return status == 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LnetEvent same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "LnetEvent" + values().toString().substring("Values".length());
    }
}
