// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.lnd.engine.WriteList;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.memory.PieceList;
import dev.verbena.lnd.memory.Registration;
import dev.verbena.lnd.memory.RegistrationStrategy;
import dev.verbena.lnet.PayloadVector;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one RDMA transfer, as ranges of the node's registered memory. A destination buffer, to which the peer
 * writes, also has an R_Key. A source buffer, from which this node sends, also has a list of RDMA WRITEs. The LND copies a
 * payload through a bounce buffer if the payload is outside the node's registered memory. The LND also uses a bounce buffer
 * if one R_Key cannot cover the destination buffer, or if a source buffer needs too many RDMA WRITEs.
 */
final class RdmaTransfer {

    private final NodeMemory memory;
    private final PieceList pieces = new PieceList();
    private final PayloadVector.PieceVisitor describer = this::addPiece;
    /** The memory that this node sends, as ranges of the node's registered memory. Adjacent ranges are joined. */
    private final FragmentList local = new FragmentList();

    private final WriteList writes = new WriteList();
    private PayloadVector payload = PayloadVector.EMPTY;
    private long payloadOffset;
    private long length;
    private boolean sink;
    private long bounce = -1;
    /** False if {@link #addPiece} has failed to add a memory range of the payload to {@link #pieces}. */
    private boolean described;

    private @Nullable Registration registration;

    private RdmaTransfer(NodeMemory memory) {
        this.memory = memory;
    }

    Registration registration() {
        return Objects.requireNonNull(registration, "memory that is not registered");
    }

    boolean isRegistered() {
        return registration != null;
    }

    FragmentList local() {
        return local;
    }

    WriteList writes() {
        return writes;
    }

    long length() {
        return length;
    }

    /**
     * Returns false if a memory range of the payload is outside of the node's registered memory, or if the payload spans
     * too many pages.
     */
    private boolean describe() {
        pieces.clear();
        described = true;
        payload.forEachPiece(payloadOffset, length, describer);
        return described;
    }

    private void addPiece(MemorySegment slice, long offset, long bytes) {
        long at = described ? memory.offsetOf(slice) : -1;
        described = at >= 0 && pieces.add(at + offset, bytes);
    }

    private void describeLocal() {
        local.clear();
        for (int i = 0; i < pieces.count(); i++) {
            local.add(pieces.offset(i), pieces.length(i));
        }
        local.join();
    }

    /** A pool of {@link RdmaTransfer}s. Callers of this class must hold the lock of the CPU partition. */
    static final class Pool {
        private final NodeMemory memory;
        private final RegistrationStrategy registrations;
        private final Deque<RdmaTransfer> free = new ArrayDeque<>();
        private long bounced;

        Pool(NodeMemory memory, RegistrationStrategy registrations) {
            this.memory = memory;
            this.registrations = registrations;
        }

        /**
         * Prepares a source buffer, which the device will read. Returns null if a bounce buffer is necessary, but no
         * contiguous pages are free.
         *
         * @throws IllegalStateException if the application has closed the arena of the payload's memory segment
         */
        @Nullable RdmaTransfer source(PayloadVector payload, long offset, long length) {
            @Nullable RdmaTransfer transfer = take(payload, offset, length, false);
            if (transfer != null && transfer.bounce >= 0) {
                try {
                    copyOut(transfer);
                } catch (IllegalStateException e) {
                    release(transfer, 0, true);
                    throw e;
                }
            }
            return transfer;
        }

        /**
         * Copies a payload that consists of too many memory ranges into a bounce buffer. Copies nothing and returns false
         * if the payload was copied before, or if no contiguous pages are free.
         *
         * @throws IllegalStateException if the application has closed the arena of the payload; the caller must still
         *     release {@code transfer}
         */
        boolean joinSource(RdmaTransfer transfer) {
            boolean joined = transfer.bounce < 0 && bounce(transfer);
            if (joined) {
                copyOut(transfer);
            }
            return joined;
        }

        private void copyOut(RdmaTransfer transfer) {
            transfer.payload.copyOut(transfer.payloadOffset, memory.segment(), transfer.bounce, transfer.length);
        }

        /**
         * Prepares a destination buffer, which the peer will write. Returns null if a bounce buffer is necessary, but no
         * contiguous pages are free or the bounce buffer cannot be registered.
         */
        @Nullable RdmaTransfer sink(PayloadVector payload, long offset, long length) {
            return take(payload, offset, length, true);
        }

        private @Nullable RdmaTransfer take(PayloadVector payload, long offset, long length, boolean sink) {
            @Nullable RdmaTransfer pooled = free.poll();
            RdmaTransfer transfer = pooled == null ? new RdmaTransfer(memory) : pooled;
            transfer.payload = payload;
            transfer.payloadOffset = offset;
            transfer.length = length;
            transfer.sink = sink;
            transfer.bounce = -1;
            transfer.registration = null;
            transfer.writes.clear();
            boolean taken = false;
            try {
                taken = (transfer.describe() && register(transfer)) || bounce(transfer);
            } finally {
                if (!taken) {
                    release(transfer, 0, false);
                }
            }
            return taken ? transfer : null;
        }

        /**
         * Registers a destination buffer, which the peer will write. Returns false if one R_Key cannot cover all memory
         * ranges of the buffer, or if the registration fails.
         */
        private boolean register(RdmaTransfer transfer) {
            if (!transfer.sink) {
                transfer.describeLocal();
                return true;
            }
            try {
                transfer.registration = registrations.map(transfer.pieces);
            } catch (VerbsException e) {
                transfer.registration = null;
            }
            return transfer.registration != null;
        }

        /** Makes an RDMA transfer use a bounce buffer (contiguous pages) instead of the application's memory. */
        private boolean bounce(RdmaTransfer transfer) {
            transfer.bounce = memory.allocateLeavingReserve(transfer.length);
            if (transfer.bounce < 0) {
                return false;
            }
            transfer.pieces.clear();
            bounced++;
            return transfer.pieces.add(transfer.bounce, transfer.length) && register(transfer);
        }

        /**
         * Joins adjacent fragments of a destination buffer if it has more fragments than the peer's limit. If too many
         * fragments remain, the peer writes to a bounce buffer, and {@link #release} copies the data to the application's
         * memory. Returns 0 or a negative errno. After a failure, the caller must still release {@code transfer}.
         */
        int limit(RdmaTransfer transfer, int maxFragments) {
            if (transfer.registration().wire().limitTo(maxFragments)) {
                return 0;
            }
            transfer.registration().release(false);
            transfer.registration = null;
            return transfer.bounce < 0
                            && bounce(transfer)
                            && transfer.registration().wire().limitTo(maxFragments)
                    ? 0
                    : -Errno.ENOMEM.number();
        }

        /**
         * Returns an {@link RdmaTransfer} to the pool. If the peer wrote to a bounce buffer instead of the application's
         * memory, copies {@code arrived} bytes from the bounce buffer to the application's memory.
         *
         * @throws IllegalStateException if the application has closed the arena of the payload; this method returns the
         *     RDMA transfer to the pool before it throws the exception
         */
        void release(RdmaTransfer transfer, long arrived, boolean failed) {
            PayloadVector payload = transfer.payload;
            long offset = transfer.payloadOffset;
            long bounce = transfer.bounce;
            @Nullable Registration registration = transfer.registration;
            transfer.payload = PayloadVector.EMPTY;
            transfer.bounce = -1;
            transfer.registration = null;
            free.push(transfer);
            try {
                if (registration != null) {
                    registration.release(failed);
                }
                if (bounce >= 0) {
                    payload.copyIn(offset, memory.segment(), bounce, arrived);
                }
            } finally {
                if (bounce >= 0) {
                    memory.free(bounce, transfer.length);
                }
            }
        }

        long bounced() {
            return bounced;
        }
    }
}
