package dev.verbena.lnd;

import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.lnd.engine.WriteList;
import dev.verbena.lnet.PayloadVector;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one RDMA transfer: its pieces within the node's region, and the writes to make of them. Memory that is not
 * in the region, or in too many pieces, is copied through pages of the region.
 */
final class Bulk {

    private final FragmentList fragments = new FragmentList();
    private final WriteList writes = new WriteList();
    private PayloadVector payload = PayloadVector.EMPTY;
    private long payloadOffset;
    private long length;
    private long bounce = -1;

    private Bulk() {}

    FragmentList fragments() {
        return fragments;
    }

    WriteList writes() {
        return writes;
    }

    long length() {
        return length;
    }

    /** Adds the pieces that lie in the region; false if one does not, or if there are too many. */
    private boolean describe(NodeMemory memory) {
        fragments.clear();
        boolean[] inside = {true};
        payload.forEachPiece(payloadOffset, length, (slice, offset, bytes) -> {
            long at = inside[0] ? memory.offsetOf(slice) : -1;
            inside[0] = at >= 0 && fragments.addPages(at + offset, bytes);
        });
        return inside[0];
    }

    /** Hands out transfers and takes them back. Used under the node's lock. */
    static final class Pool {
        private final NodeMemory memory;
        private final Deque<Bulk> free = new ArrayDeque<>();
        private long bounced;

        Pool(NodeMemory memory) {
            this.memory = memory;
        }

        /**
         * Prepares memory to be read by the device; null if there is no page to copy it to.
         *
         * @throws IllegalStateException if the user closed that memory; nothing is taken then
         */
        @Nullable Bulk source(PayloadVector payload, long offset, long length) {
            @Nullable Bulk bulk = take(payload, offset, length);
            if (bulk != null && bulk.bounce >= 0) {
                try {
                    payload.copyOut(offset, memory.segment(), bulk.bounce, length);
                } catch (IllegalStateException e) {
                    release(bulk, 0);
                    throw e;
                }
            }
            return bulk;
        }

        /** Prepares memory to be written by the peer; null if there is no page to put in its place. */
        @Nullable Bulk sink(PayloadVector payload, long offset, long length) {
            return take(payload, offset, length);
        }

        private @Nullable Bulk take(PayloadVector payload, long offset, long length) {
            @Nullable Bulk pooled = free.poll();
            Bulk bulk = pooled == null ? new Bulk() : pooled;
            bulk.payload = payload;
            bulk.payloadOffset = offset;
            bulk.length = length;
            bulk.bounce = -1;
            bulk.writes.clear();
            if (bulk.describe(memory)) {
                return bulk;
            }
            bulk.bounce = memory.allocate(length);
            if (bulk.bounce < 0) {
                release(bulk, 0);
                return null;
            }
            bounced++;
            bulk.fragments.clear();
            bulk.fragments.addPages(bulk.bounce, length);
            return bulk;
        }

        /**
         * Takes a transfer back. The first bytes of a sink that was bounced are copied to where they belong.
         *
         * @throws IllegalStateException if the user closed that memory; the transfer is taken back all the same
         */
        void release(Bulk bulk, long arrived) {
            PayloadVector payload = bulk.payload;
            long offset = bulk.payloadOffset;
            long bounce = bulk.bounce;
            bulk.payload = PayloadVector.EMPTY;
            bulk.bounce = -1;
            free.push(bulk);
            if (bounce >= 0) {
                try {
                    payload.copyIn(offset, memory.segment(), bounce, arrived);
                } finally {
                    memory.free(bounce, bulk.length);
                }
            }
        }

        /** Transfers whose memory was copied through the region. */
        long bounced() {
            return bounced;
        }
    }
}
