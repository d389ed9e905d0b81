// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The right to access a range of bytes for a short time. The user opens a grant by key and address, accesses the bytes, and
 * closes the grant. Reusable; not thread-safe.
 *
 * <p>A thread that deregisters the region of an open grant waits until the grant is closed. To limit the wait of
 * deregistrations, only <b>short grants</b> are permitted: a grant is closed after the work of a few packets. If the user
 * handles consecutive packets without a wait in between, it may call {@link #retain()} instead of closing the grant.
 */
public final class GrantedRange {
    private final MemoryTable table;
    private final MemoryUser user;
    /** The protection domain of {@link #user}, copied to save a cache miss. */
    private final Object domain;

    private final QpRole role;
    private final @Nullable Runnable beforeWaiting;
    /** The access point entered last; leaving it does not clear this field, because storing a reference costs a card mark. */
    private @Nullable AccessPoint accessPoint;
    /** Whether the reader count of {@link #accessPoint} includes this grant. */
    private boolean inside;
    /** Whether {@link #accessPoint} was found by a key that the peer presented. */
    private boolean remote;

    private long position;

    public GrantedRange(MemoryTable table, MemoryUser user, QpRole role) {
        this(table, user, role, null);
    }

    /**
     * Creates a closed grant for a user that may hold another grant while this one is opened. A writer that changes the memory
     * of two grants waits until both grants are closed. Before this grant waits for the writer, the parameter
     * {@code beforeWaiting} must therefore close every other grant.
     */
    public GrantedRange(MemoryTable table, MemoryUser user, QpRole role, @Nullable Runnable beforeWaiting) {
        this.table = table;
        this.user = user;
        domain = user.domain;
        this.role = role;
        this.beforeWaiting = beforeWaiting;
    }

    /**
     * Opens memory for a request of the local queue pair. The parameter {@code access} is a mask of
     * {@link dev.verbena.verbs.AccessFlag}, or 0 for read access. If the key does not grant the access, the grant is then
     * closed, and this method returns false.
     */
    public boolean openLocal(int lkey, int access, long address, long bytes) {
        return open(false, true, lkey, access, address, bytes);
    }

    /** Opens memory like {@link #openLocal}, but also returns false if the call would wait for a change of the region. */
    public boolean tryOpenLocal(int lkey, int access, long address, long bytes) {
        return open(false, false, lkey, access, address, bytes);
    }

    /**
     * Opens memory on behalf of the peer, by the key of a region or a window and an address in the key's address space. If the
     * key does not grant the access, the grant is then closed, and this method returns false.
     */
    public boolean openRemote(int rkey, int access, long address, long bytes) {
        return open(true, true, rkey, access, address, bytes);
    }

    /** Returns whether a remote key grants the requested rights, regardless of the address. */
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

    /** Opens memory like {@link #openRemote}, but also returns false if the call would wait for a change of the region. */
    public boolean tryOpenRemote(int rkey, int access, long address, long bytes) {
        return open(true, false, rkey, access, address, bytes);
    }

    private boolean open(boolean forPeer, boolean waits, int key, int access, long address, long bytes) {
        AccessPoint last = accessPoint;
        // If this grant can enter the remembered access point, the memory is still registered, because the access point
        // of deregistered memory refuses readers.
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
            // A refused access does not change the remembered access point, so the field {@code remote} changes only
            // after a
            // grant.
            remote = forPeer;
        }
        return open;
    }

    private boolean enter(AccessPoint at, boolean waits) {
        return waits ? at.enter(beforeWaiting) : at.tryEnter();
    }

    /** Checks an access to memory, and stores the key's access point. If the access is refused, leaves the access point. */
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
     * Copies the first granted bytes to the memory in the parameter {@code target}. Returns false if the memory has been freed;
     * some bytes may then have been copied.
     */
    public boolean copyTo(MemorySegment target, long offset, int bytes) {
        return pieces().copyTo(position, target, offset, bytes);
    }

    /**
     * Copies bytes to the start of the granted range. Returns false if the memory has been freed; some bytes may then have been
     * copied.
     */
    public boolean copyFrom(MemorySegment source, long offset, int bytes) {
        return copyFrom(source, offset, 0, bytes);
    }

    /**
     * Copies bytes into the granted range, beginning {@code skip} bytes after the start of the range. Returns false if the
     * memory has been freed; some bytes may then have been copied.
     */
    public boolean copyFrom(MemorySegment source, long offset, long skip, int bytes) {
        orderWrites();
        return pieces().copyFrom(source, false, offset, position + skip, bytes);
    }

    /**
     * Copies the first granted bytes of another grant to the start of this range. The bytes must be contiguous in the parameter
     * {@code source} (see {@link #isOnePiece}). Returns false if the memory of either grant has been freed; some bytes may then
     * have been copied.
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
     * <b>Writes become visible in order.</b> A thread that reads a byte of the next write with acquire semantics sees all earlier
     * writes of this queue pair.
     */
    private static void orderWrites() {
        VarHandle.releaseFence();
    }

    /**
     * Returns whether the memory can be freed while the grant is open. If the memory is freed, an access to eight bytes may
     * throw {@link IllegalStateException} or {@link InternalError}.
     */
    public boolean isGuarded() {
        return pieces().isGuarded();
    }

    /** Returns whether the first granted bytes are contiguous in {@link #segment()}, from {@link #offset()} on. */
    public boolean isOnePiece(int bytes) {
        return only() != null || pieces().isOnePiece(position, bytes);
    }

    /** Returns the piece of memory with the first granted byte, for access while the grant is open. */
    public MemorySegment segment() {
        return pieces().segment(position);
    }

    public long offset() {
        return pieces().offset(position);
    }

    /**
     * Returns whether the first eight granted bytes can be changed atomically. An address that is a multiple of eight does not
     * suffice, because the first byte of a region may be at any address of the process.
     */
    public boolean isAtomic() {
        return pieces().isAtomic(position);
    }

    /**
     * Adds a value to the first eight granted bytes, in this machine's byte order, atomically with respect to all threads of
     * this process. Returns the former value.
     */
    public long getAndAdd(long delta) {
        return pieces().getAndAdd(position, delta);
    }

    /**
     * Replaces the first eight granted bytes if they have an expected value, atomically with respect to all threads of this
     * process. Returns the former value.
     */
    public long compareAndExchange(long expected, long value) {
        return pieces().compareAndExchange(position, expected, value);
    }

    public void set(long value) {
        pieces().setVolatile(position, value);
    }

    /**
     * Ends an access, but does not leave the access point, so that a later access to the same memory costs less. The user must
     * close the grant soon, and before it waits for another thread.
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
