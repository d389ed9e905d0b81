// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.stress;

import dev.verbena.sim.stress.SlotMemory.Piece;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendWorkRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One request with the data for its check. */
final class Message {
    final DataVerb verb;
    final long id;
    final int slot;
    /** The bytes of the message, in order. */
    final MemorySegment bytes;
    /** Their place at the requester: in its source memory, or in its landing memory for a READ or atomic. */
    final List<Piece> pieces;

    final boolean inline;
    final boolean fenced;
    final boolean signaled;

    /** For atomics: the value before, and the operands. */
    long before;

    long operand;
    long compare;
    /** The window key that a SEND with invalidate ends. */
    int invalidated;

    @Nullable Receive receive;

    /** The receive that a message consumes. */
    record Receive(long id, int slot, List<Piece> pieces) {}

    Message(
            DataVerb verb,
            long id,
            int slot,
            MemorySegment bytes,
            List<Piece> pieces,
            boolean inline,
            boolean fenced,
            boolean signaled) {
        this.verb = verb;
        this.id = id;
        this.slot = slot;
        this.bytes = bytes;
        this.pieces = pieces;
        this.inline = inline;
        this.fenced = fenced;
        this.signaled = signaled;
    }

    int immediate() {
        return (int) id;
    }

    /** Returns whether the request itself has the bytes, from the time it is filled. */
    boolean carriesBytes() {
        return inline && id % 2 == 0;
    }

    /** Returns the value after an atomic. */
    long after() {
        return switch (verb) {
            case FETCH_ADD -> before + operand;
            case COMP_SWAP -> before == compare ? operand : before;
            default -> bytes.get(ValueLayout.JAVA_LONG, 0);
        };
    }

    void fill(SendWorkRequest request, Side near, Side far) {
        long word = far.words.address(slot);
        int wordKey = far.words.rkey();
        switch (verb) {
            case SEND -> request.send();
            case SEND_WITH_IMM -> request.sendWithImmediate(immediate());
            case SEND_WITH_INV -> request.sendWithInvalidate(invalidated);
            case WRITE -> request.rdmaWrite(far.target.address(slot), far.targetKey());
            case WRITE_WITH_IMMEDIATE ->
                request.rdmaWriteWithImmediate(far.target.address(slot), far.targetKey(), immediate());
            case READ -> request.rdmaRead(far.readable.address(0), far.readable.rkey());
            case FETCH_ADD -> request.fetchAndAdd(word, wordKey, operand);
            case COMP_SWAP -> request.compareAndSwap(word, wordKey, compare, operand);
            case ATOMIC_WRITE -> request.atomicWrite(word, wordKey);
            case FLUSH ->
                request.flush(far.words.address(0), wordKey, Long.BYTES, FlushTarget.RANGE, FlushPlacement.GLOBAL);
        }
        request.id(id);
        if (signaled) {
            request.signaled();
        }
        if (fenced) {
            request.fence();
        }
        if (inline) {
            request.inline();
        }
        if (carriesBytes()) {
            request.inlineData(bytes);
            return;
        }
        Side.Registered local = verb.hasSource() ? near.source : near.landing;
        MemoryRegion region = local.region();
        long begin = local.memory().offset(slot);
        for (Piece piece : pieces) {
            if (piece.length() > 0) {
                request.sge(region, begin + piece.offset(), piece.length());
            }
        }
    }

    @Override
    public String toString() {
        return verb + " " + id + " of " + bytes.byteSize() + " bytes" + (inline ? " inline" : "") + " in " + pieces;
    }
}
