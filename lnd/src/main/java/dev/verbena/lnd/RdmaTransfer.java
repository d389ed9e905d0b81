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
 * The memory of one RDMA transfer, as pieces within the node's memory region. For a sink, to which the peer writes, this
 * object also contains the memory's registration. For a source, whose content this node sends, this object also contains
 * the RDMA WRITEs. If a payload is outside the node's memory region, the LND copies the payload to or from the node's
 * pages. The LND also copies a payload if one key cannot cover the sink, or if the source needs too many WRITEs.
 */
final class RdmaTransfer {

    private final NodeMemory memory;
    private final PieceList pieces = new PieceList();
    private final PayloadVector.PieceVisitor describer = this::addPiece;
    /** The pieces of memory that this node sends, within the node's memory region. Adjacent pieces are joined. */
    private final FragmentList local = new FragmentList();

    private final WriteList writes = new WriteList();
    private PayloadVector payload = PayloadVector.EMPTY;
    private long payloadOffset;
    private long length;
    private boolean sink;
    private long bounce = -1;
    /** False if {@link #addPiece} has failed to add a piece of the payload to {@link #pieces}. */
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
     * Returns false if a piece of the payload is outside of the node's memory region, or if the payload spans too many
     * pages.
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

    /** A pool of RDMA transfers. Callers of this class must hold the lock of the CPU partition. */
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
         * Prepares memory that the device will read. Returns null if the payload must be copied and the node's memory
         * has no free pages for the copy.
         *
         * @throws IllegalStateException if the user has closed the memory segment of the payload
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
         * Copies a payload that has too many pieces into contiguous pages of the node. Copies nothing and returns false
         * if the payload was copied before, or if no contiguous pages are free.
         *
         * @throws IllegalStateException if the user of LNet has closed the payload's memory; the caller still owns
         *     {@code transfer}
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
         * Prepares memory that the peer will write. Returns null if no free registration is left, or if the payload
         * must be copied and no free page is left.
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
         * Registers the memory that the peer will write. Returns false if one key cannot cover all pieces of the
         * memory, or if no free registration is left.
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

        /** Makes a transfer use contiguous pages of the node instead of the user's memory. */
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
         * Reduces the number of a sink's fragments to the peer's limit, by joining adjacent fragments. If too many
         * fragments remain, the peer writes to contiguous pages of the node, and {@link #release} copies the data to
         * the user's memory. Returns 0 or a negative errno. After a failure, the caller still owns the transfer.
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
         * Returns an RDMA transfer to the pool. If the peer wrote to intermediate pages instead of the user's memory,
         * copies {@code arrived} bytes from these pages to the user's memory.
         *
         * @throws IllegalStateException if the user has closed the payload's memory; this method returns the transfer to
         *     the pool before it throws the exception
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
