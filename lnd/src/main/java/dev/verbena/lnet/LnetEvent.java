package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a memory descriptor. Source: Lustre's {@code struct lnet_event}.
 *
 * @param type what happened
 * @param memoryDescriptor the descriptor it happened to
 * @param messageType for SEND the type of message that was sent, else the type of the one received; null for UNLINK
 * @param initiator who started the operation
 * @param target whom it was for
 * @param portal the target portal of a PUT or GET, -1 where it is not known
 * @param matchBits match bits of the operation; for ACK those in the ACK; 0 for REPLY
 * @param hdrData the initiator's word in a PUT, else 0
 * @param requestedLength bytes the operation asked for
 * @param length bytes really moved; smaller when truncated
 * @param offset where in the descriptor
 * @param status 0, or a negative errno as Linux numbers them
 * @param unlinked whether this is the descriptor's last event
 */
public record LnetEvent(
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

    /**
     * Whether the operation succeeded.
     *
     * @return true if {@link #status} is 0
     */
    public boolean isSuccess() {
        return status == 0;
    }
}
