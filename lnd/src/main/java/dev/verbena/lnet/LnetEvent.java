// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/** An event that LNet reports for a memory descriptor. Source: Lustre's {@code struct lnet_event}. */
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

    /** {@return the type of the event} */
    public LnetEventType type() {
        return type;
    }

    /** {@return the memory descriptor whose operation the event reports} */
    public MemoryDescriptor memoryDescriptor() {
        return memoryDescriptor;
    }

    /** {@return the type of the message that was sent (SEND) or received (other events); null for UNLINK} */
    public @Nullable LnetMessageType messageType() {
        return messageType;
    }

    /** {@return the process that started the operation} */
    public ProcessId initiator() {
        return initiator;
    }

    /** {@return the process that was the target of the operation} */
    public ProcessId target() {
        return target;
    }

    /** {@return the target's portal for a PUT or GET; -1 if it is unknown} */
    public int portal() {
        return portal;
    }

    /** {@return the match bits of the operation; for an ACK the bits in the ACK; 0 for a REPLY} */
    public long matchBits() {
        return matchBits;
    }

    /** {@return the 64-bit word that the initiator of a PUT sent; 0 for other operations} */
    public long hdrData() {
        return hdrData;
    }

    /** {@return the requested length of the PUT or GET in bytes} */
    public long requestedLength() {
        return requestedLength;
    }

    /** {@return the transferred length in bytes, less than the requested length if the operation was truncated} */
    public long length() {
        return length;
    }

    /** {@return the offset of the transferred bytes in the memory of the descriptor} */
    public long offset() {
        return offset;
    }

    /** {@return 0, or a negative errno with its Linux value} */
    public int status() {
        return status;
    }

    /** {@return whether the memory descriptor is unlinked; if so, this event is the last event of the descriptor} */
    public boolean unlinked() {
        return unlinked;
    }

    /** {@return whether {@link #status} is 0} */
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
