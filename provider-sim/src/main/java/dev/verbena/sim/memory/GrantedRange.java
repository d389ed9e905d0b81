// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A temporary permission (grant) to access a range of registered memory. A requester or responder begins the access with a
 * key and an address, accesses the bytes, and ends the access by {@link #close()}. Reusable; not thread-safe.
 *
 * <p>A thread that deregisters a memory region waits until {@link #close()} has ended each access to the region. <b>Short
 * grants</b>: a deregistration does not wait long, because {@link #close()} is called after a few packets at most. Between
 * two packets that a thread handles without waiting, the thread may call {@link #retain()} of its {@code GrantedRange}
 * instead of {@link #close()}.
 */
public final class GrantedRange {
    private final MemoryTable table;
    private final MemoryUser user;
    /** The protection domain of {@link #user}, copied to save a cache miss. */
    private final Object domain;

    private final QpRole role;
    private final @Nullable Runnable beforeWaiting;
    /**
     * The {@link AccessPoint} (bounds and access rights) of the last permitted access. {@link #close()} does not clear this
     * field, because each store of a reference costs an update of the garbage collector's card table.
     */
    private @Nullable AccessPoint accessPoint;
    /** Whether the reader count of {@link #accessPoint} includes this {@code GrantedRange}. */
    private boolean inside;
    /** Whether {@link #accessPoint} was found by the R_Key of a peer's request, not by an L_Key. */
    private boolean remote;

    private long position;

    public GrantedRange(MemoryTable table, MemoryUser user, QpRole role) {
        this(table, user, role, null);
    }

    /**
     * Creates a {@code GrantedRange} without an access in progress. A thread that begins an access may have to wait for a
     * thread that changes the memory region. A thread that changes a memory region waits until no access to the region is
     * in progress. To prevent a deadlock, the callback {@code beforeWaiting} must end all other memory accesses of the
     * calling thread before this thread waits.
     */
    public GrantedRange(MemoryTable table, MemoryUser user, QpRole role, @Nullable Runnable beforeWaiting) {
        this.table = table;
        this.user = user;
        domain = user.domain;
        this.role = role;
        this.beforeWaiting = beforeWaiting;
    }

    /**
     * Checks that an L_Key permits a work request of the queue pair to access a memory range, and begins the access. The
     * required rights are a mask of {@link dev.verbena.verbs.AccessFlag}, or 0 for read access. If the L_Key does not
     * permit the access, this method returns false and begins no access.
     */
    public boolean openLocal(int lkey, int access, long address, long bytes) {
        return open(false, true, lkey, access, address, bytes);
    }

    /** Acts like {@link #openLocal}, but returns false instead of waiting for a thread that changes the memory region. */
    public boolean tryOpenLocal(int lkey, int access, long address, long bytes) {
        return open(false, false, lkey, access, address, bytes);
    }

    /**
     * Begins a memory access that the peer requests with an R_Key and an address. If the R_Key does not permit the access,
     * this method returns false and begins no access.
     */
    public boolean openRemote(int rkey, int access, long address, long bytes) {
        return open(true, true, rkey, access, address, bytes);
    }

    /** Returns whether an R_Key grants the requested access rights, regardless of the address. */
    public boolean isGrantedSomewhere(int rkey, int access) {
        close();
        ProtectionEntry found = table.find(rkey);
        AccessPoint at = found == null ? null : found.accessPoint(role);
        if (at == null || !at.enter(beforeWaiting)) {
            return false;
        }
        boolean allowed = at.allows(rkey, domain, user, access);
        at.leave();
        return allowed;
    }

    /** Acts like {@link #openRemote}, but returns false instead of waiting for a thread that changes the memory region. */
    public boolean tryOpenRemote(int rkey, int access, long address, long bytes) {
        return open(true, false, rkey, access, address, bytes);
    }

    private boolean open(boolean forPeer, boolean waits, int key, int access, long address, long bytes) {
        AccessPoint last = accessPoint;
        // If the previous call had the same L_Key or R_Key, its `AccessPoint` (bounds and access rights) is reused
        // without a search of the memory table. If the memory has been deregistered, `enter` returns false.
        if (last != null && remote == forPeer && last.isFor(key) && (inside || enter(last, waits))) {
            return use(last, key, access, address, bytes);
        }
        close();
        ProtectionEntry found = forPeer ? table.find(key) : table.region(key);
        if (found == null) {
            return false;
        }
        AccessPoint at = found.accessPoint(role);
        boolean open = enter(at, waits) && use(at, key, access, address, bytes);
        if (open) {
            // The fields remote and accessPoint describe the same access, so both fields change only if the access
            // check succeeds.
            remote = forPeer;
        }
        return open;
    }

    private boolean enter(AccessPoint at, boolean waits) {
        return waits ? at.enter(beforeWaiting) : at.tryEnter();
    }

    /**
     * Checks the bounds and rights of an access to memory. If the access is permitted, stores {@code found} in {@code
     * accessPoint}. If the access is denied, calls {@code found.leave()}.
     */
    @SuppressWarnings("ReferenceEquality")
    private boolean use(AccessPoint found, int key, int access, long address, long bytes) {
        long at = found.allows(key, domain, user, access) ? found.position(address, bytes) : -1;
        inside = at >= 0;
        if (!inside) {
            found.leave();
            return false;
        }
        if (accessPoint != found) {
            accessPoint = found;
        }
        position = at;
        return true;
    }

    private MemoryPieces pieces() {
        AccessPoint open = accessPoint;
        return inside && open != null ? open.pieces() : MemoryPieces.NONE;
    }

    private @Nullable MemorySegment only() {
        AccessPoint open = accessPoint;
        return inside && open != null ? open.only() : null;
    }

    /**
     * Copies bytes from the start of this {@code GrantedRange} to {@code target}. Returns false if the memory has been
     * freed; some bytes may then have been copied.
     */
    public boolean copyTo(MemorySegment target, long offset, int bytes) {
        return pieces().copyTo(position, target, offset, bytes);
    }

    /**
     * Copies bytes from a source to the start of this {@code GrantedRange}. Returns false if the memory has been freed;
     * some bytes may then have been copied.
     */
    public boolean copyFrom(MemorySegment source, long offset, int bytes) {
        return copyFrom(source, offset, 0, bytes);
    }

    /**
     * Copies bytes from a source into this {@code GrantedRange}, from {@code skip} bytes after its start. Returns false
     * if the memory has been freed; some bytes may then have been copied.
     */
    public boolean copyFrom(MemorySegment source, long offset, long skip, int bytes) {
        orderWrites();
        return pieces().copyFrom(source, false, offset, position + skip, bytes);
    }

    /**
     * Copies bytes from the start of {@code source} to the start of this {@code GrantedRange}. The copied bytes of
     * {@code source} must be contiguous in memory (see {@link #isOnePiece}). Returns false if the memory of the source
     * or of the target has been freed; some bytes may then have been copied.
     */
    public boolean copyFrom(GrantedRange source, int bytes) {
        MemorySegment to = only();
        MemorySegment wholeSource = source.only();
        long at = source.position;
        if (to != null && wholeSource != null) {
            orderWrites();
            MemorySegment.copy(wholeSource, at, to, position, bytes);
            return true;
        }
        orderWrites();
        return pieces().copyFrom(source.segment(), source.isGuarded(), source.offset(), position, bytes);
    }

    /**
     * <b>Writes become visible in order.</b> Call before each write. A thread that reads a written byte with acquire
     * semantics also sees all earlier writes of the same queue pair.
     */
    private static void orderWrites() {
        VarHandle.releaseFence();
    }

    /**
     * Returns whether the accessed memory can be freed while the access is in progress. If the memory is freed, an access
     * to eight bytes may throw {@link IllegalStateException} or {@link InternalError}.
     */
    public boolean isGuarded() {
        return pieces().isGuarded();
    }

    /** Returns whether {@link #segment()} contains the first {@code bytes} bytes of this {@code GrantedRange}. */
    public boolean isOnePiece(int bytes) {
        return only() != null || pieces().isOnePiece(position, bytes);
    }

    /** Returns the segment that contains the first byte of this {@code GrantedRange}. Valid until {@link #close()}. */
    public MemorySegment segment() {
        return pieces().segment(position);
    }

    public long offset() {
        return pieces().offset(position);
    }

    /**
     * Returns whether the processor can change the first eight bytes of this {@code GrantedRange} atomically. An RDMA
     * address that is divisible by eight does not guarantee atomicity. The address of the same byte in the process may be
     * unaligned.
     */
    public boolean isAtomic() {
        return pieces().isAtomic(position);
    }

    /**
     * Adds a value to the first eight bytes of this {@code GrantedRange}, in this machine's byte order, atomically with
     * respect to all threads of this process. Returns the former value.
     */
    public long getAndAdd(long delta) {
        return pieces().getAndAdd(position, delta);
    }

    /**
     * Replaces the first eight bytes of this {@code GrantedRange} if they equal {@code expected}, atomically with
     * respect to all threads of this process. Returns the former value.
     */
    public long compareAndExchange(long expected, long value) {
        return pieces().compareAndExchange(position, expected, value);
    }

    public void set(long value) {
        pieces().setVolatile(position, value);
    }

    /**
     * Ends an access, but does not decrement the memory's reader count, so that the next access need not increment it. A
     * deregistration of the region waits until {@link #close()} is called. The caller must call {@code close()} after a few
     * packets, and before it waits for another thread.
     */
    public void retain() {
        position = -1;
    }

    public void close() {
        AccessPoint open = accessPoint;
        if (inside && open != null) {
            inside = false;
            open.leave();
        }
    }
}
