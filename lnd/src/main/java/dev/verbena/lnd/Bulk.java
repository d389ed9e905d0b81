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
final class Bulk {

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

    private Bulk(NodeMemory memory) {
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

    /** Hands out transfers and takes them back. Used under the node's lock. */
    static final class Pool {
        private final NodeMemory memory;
        private final RegistrationStrategy registrations;
        private final Deque<Bulk> free = new ArrayDeque<>();
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
        @Nullable Bulk source(PayloadVector payload, long offset, long length) {
            @Nullable Bulk bulk = take(payload, offset, length, false);
            if (bulk != null && bulk.bounce >= 0) {
                try {
                    copyOut(bulk);
                } catch (IllegalStateException e) {
                    release(bulk, 0, true);
                    throw e;
                }
            }
            return bulk;
        }

        /**
         * Copies a source of too many pieces to one run of pages. Returns false if the source is in one already, or if
         * no pages are free.
         *
         * @throws IllegalStateException if the user closed that memory; the caller still owns the transfer
         */
        boolean joinSource(Bulk bulk) {
            boolean joined = bulk.bounce < 0 && bounce(bulk);
            if (joined) {
                copyOut(bulk);
            }
            return joined;
        }

        private void copyOut(Bulk bulk) {
            bulk.payload.copyOut(bulk.payloadOffset, memory.segment(), bulk.bounce, bulk.length);
        }

        /**
         * Prepares memory to be written by the peer. Returns null without a page to replace it, or without a
         * registration.
         */
        @Nullable Bulk sink(PayloadVector payload, long offset, long length) {
            return take(payload, offset, length, true);
        }

        private @Nullable Bulk take(PayloadVector payload, long offset, long length, boolean sink) {
            @Nullable Bulk pooled = free.poll();
            Bulk bulk = pooled == null ? new Bulk(memory) : pooled;
            bulk.payload = payload;
            bulk.payloadOffset = offset;
            bulk.length = length;
            bulk.sink = sink;
            bulk.bounce = -1;
            bulk.registration = null;
            bulk.writes.clear();
            boolean taken = false;
            try {
                taken = (bulk.describe() && register(bulk)) || bounce(bulk);
            } finally {
                if (!taken) {
                    release(bulk, 0, false);
                }
            }
            return taken ? bulk : null;
        }

        /** Registers the pieces of a sink; false if they cannot be under one key, or for now not at all. A source needs nothing. */
        private boolean register(Bulk bulk) {
            if (!bulk.sink) {
                bulk.describeLocal();
                return true;
            }
            try {
                bulk.registration = registrations.map(bulk.pieces);
            } catch (VerbsException e) {
                bulk.registration = null;
            }
            return bulk.registration != null;
        }

        /** Puts one run of the node's pages in the place of the user's memory. */
        private boolean bounce(Bulk bulk) {
            bulk.bounce = memory.allocateLeavingReserve(bulk.length);
            if (bulk.bounce < 0) {
                return false;
            }
            bulk.pieces.clear();
            bounced++;
            return bulk.pieces.add(bulk.bounce, bulk.length) && register(bulk);
        }

        /**
         * Fits a sink to the peer's limits: joins adjacent pieces, and bounces the memory if that is not enough.
         * Returns 0 or a negative errno. The caller still owns the transfer.
         */
        int limit(Bulk bulk, int maxFragments) {
            if (bulk.registration().wire().limitTo(maxFragments)) {
                return 0;
            }
            bulk.registration().release(false);
            bulk.registration = null;
            return bulk.bounce < 0 && bounce(bulk) && bulk.registration().wire().limitTo(maxFragments)
                    ? 0
                    : -Errno.ENOMEM.number();
        }

        /**
         * Takes a transfer back. The first bytes of a sink that was bounced are copied to where they belong.
         *
         * @throws IllegalStateException if the user closed that memory; the transfer is taken back all the same
         */
        void release(Bulk bulk, long arrived, boolean failed) {
            PayloadVector payload = bulk.payload;
            long offset = bulk.payloadOffset;
            long bounce = bulk.bounce;
            @Nullable Registration registration = bulk.registration;
            bulk.payload = PayloadVector.EMPTY;
            bulk.bounce = -1;
            bulk.registration = null;
            free.push(bulk);
            try {
                if (registration != null) {
                    registration.release(failed);
                }
                if (bounce >= 0) {
                    payload.copyIn(offset, memory.segment(), bounce, arrived);
                }
            } finally {
                if (bounce >= 0) {
                    memory.free(bounce, bulk.length);
                }
            }
        }

        /** Returns the number of transfers that were copied through the node's memory. */
        long bounced() {
            return bounced;
        }
    }
}
