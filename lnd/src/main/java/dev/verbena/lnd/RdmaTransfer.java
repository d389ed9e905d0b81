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
 * The memory of one RDMA transfer: its pieces within the node's memory. For a sink it also has the registration, for a
 * source the writes. Three kinds of memory are copied through pages of the node: memory that is not the node's, a sink
 * that cannot be registered under one key, and a source that needs too many writes.
 */
final class RdmaTransfer {

    private final NodeMemory memory;
    private final PieceList pieces = new PieceList();
    private final PayloadVector.PieceVisitor describer = this::addPiece;
    /** The pieces of a source, with adjacent ones joined. */
    private final FragmentList local = new FragmentList();

    private final WriteList writes = new WriteList();
    private PayloadVector payload = PayloadVector.EMPTY;
    private long payloadOffset;
    private long length;
    private boolean sink;
    private long bounce = -1;
    /** Whether every piece was added; false after the first one that was not. */
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

    /** Where a source lies in the node's memory. */
    FragmentList local() {
        return local;
    }

    WriteList writes() {
        return writes;
    }

    long length() {
        return length;
    }

    /** Adds the pieces that lie in the node's memory; false if one does not, or if there are too many. */
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

    /** Hands out transfers and takes them back. Used under the partition's lock. */
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
         * Prepares memory to be read by the device. Returns null without a page for a copy, or without a registration.
         *
         * @throws IllegalStateException if the user closed that memory; nothing is taken then
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
         * Copies a source of too many pieces to one run of pages. Returns false if the source is in one already, or if
         * no pages are free.
         *
         * @throws IllegalStateException if the user closed that memory; the caller still owns the transfer
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
         * Prepares memory to be written by the peer. Returns null without a page to replace it, or without a
         * registration.
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

        /** Registers the pieces of a sink; false if they cannot be under one key, or for now not at all. A source needs nothing. */
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

        /** Puts one run of the node's pages in the place of the user's memory. */
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
         * Fits a sink to the peer's limits: joins adjacent pieces, and bounces the memory if that is not enough.
         * Returns 0 or a negative errno. The caller still owns the transfer.
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
         * Takes a transfer back. The first bytes of a sink that was bounced are copied to where they belong.
         *
         * @throws IllegalStateException if the user closed that memory; the transfer is taken back all the same
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

        /** Returns the number of transfers that were copied through the node's memory. */
        long bounced() {
            return bounced;
        }
    }
}
