package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/** What an incoming PUT or GET asks of a portal and, after a match, what it gets. Reused, so that matching allocates nothing. */
final class MatchRequest {

    /** How a search ended. */
    enum Result {
        /** A descriptor takes the operation. */
        MATCHED,
        /** No entry is for this operation. */
        NO_MATCH,
        /** An entry is for this operation but has no room for it, which ends the search. */
        NO_ROOM
    }

    private MdOption operation = MdOption.OP_PUT;
    private ProcessId initiator = ProcessId.ANY;
    private long matchBits;
    private long offset;
    private long length;

    private @Nullable MemoryDescriptor memoryDescriptor;
    private long matchedOffset;
    private long matchedLength;

    MatchRequest set(MdOption operation, ProcessId initiator, long matchBits, long offset, long length) {
        this.operation = operation;
        this.initiator = initiator;
        this.matchBits = matchBits;
        this.offset = offset;
        this.length = length;
        memoryDescriptor = null;
        return this;
    }

    /** Tries one entry, by the rules of Lustre's {@code lnet_try_match_md} plus bounds on remote offsets and lengths. */
    Result tryEntry(MatchEntry entry) {
        @Nullable MemoryDescriptor md = entry.memoryDescriptor();
        if (md == null || md.isExhausted() || !md.has(operation) || !entry.accepts(initiator, matchBits)) {
            return Result.NO_MATCH;
        }
        long start = md.has(MdOption.MANAGE_REMOTE) ? offset : md.localOffset();
        if (start > md.length()) {
            return Result.NO_ROOM;
        }
        long room = Math.min(md.length() - start, Lnd.MAX_PAYLOAD);
        if (md.has(MdOption.MAX_SIZE)) {
            room = Math.min(room, md.maxSize());
        }
        if (length > room && !md.has(MdOption.TRUNCATE)) {
            return Result.NO_ROOM;
        }
        memoryDescriptor = md;
        matchedOffset = start;
        matchedLength = Math.min(length, room);
        return Result.MATCHED;
    }

    @Nullable MemoryDescriptor memoryDescriptor() {
        return memoryDescriptor;
    }

    long matchedOffset() {
        return matchedOffset;
    }

    long matchedLength() {
        return matchedLength;
    }

    long length() {
        return length;
    }
}
