// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The right to access a range of bytes for a short time: opened by key and address, used, closed. While a grant is
 * open, its region cannot be deregistered: a thread that tries to waits. So only <b>short grants</b> are permitted, for
 * the work of a few packets at most. Between packets in direct succession the user may {@linkplain #rest() rest} a
 * grant instead of closing it, as long as it waits for nothing. Reusable; not thread-safe.
 */
public final class GrantedRange {
    private final MemoryTable table;
    private final MemoryUser user;
    /** The domain of {@link #user}; a copy saves a cache miss. */
    private final Object domain;

    private final QpRole role;
    private final @Nullable Runnable beforeWaiting;
    /**
     * The access point entered last. It keeps its value after leaving, because storing a reference costs a card mark.
     */
    private @Nullable AccessPoint accessPoint;
    /** Whether the reader count of {@link #accessPoint} includes this grant. */
    private boolean inside;
    /** Whether {@link #accessPoint} was found by a key that the peer presented. */
    private boolean remote;

    private long position;

    /**
     * Makes a closed grant.
     *
     * @param table the table of keys
     * @param user the queue pair that presents the keys
     * @param role the side of the queue pair that accesses the memory
     */
    public GrantedRange(MemoryTable table, MemoryUser user, QpRole role) {
        this(table, user, role, null);
    }

    /**
     * Makes a closed grant for a user that may hold another grant while this one is opened. A writer that changes the
     * memory of both waits until the other grant is closed. So this grant must have the other one closed before it
     * waits for the writer.
     *
     * @param table the table of keys
     * @param user the queue pair that presents the keys
     * @param role the side of the queue pair that accesses the memory
     * @param beforeWaiting closes all other open grants; null if there never are any
     */
    public GrantedRange(MemoryTable table, MemoryUser user, QpRole role, @Nullable Runnable beforeWaiting) {
        this.table = table;
        this.user = user;
        domain = user.domain;
        this.role = role;
        this.beforeWaiting = beforeWaiting;
    }

    /**
     * Opens memory for a request of this side.
     *
     * @param lkey the local key
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}, 0 to read
     * @param address the address of the first byte
     * @param bytes the number of bytes
     * @return false if the key does not grant the access; the grant is then closed
     */
    public boolean openLocal(int lkey, int access, long address, long bytes) {
        return open(false, true, lkey, access, address, bytes);
    }

    /**
     * Opens memory for a request of this side, without waiting for a change in progress.
     *
     * @param lkey the local key
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}, 0 to read
     * @param address the address of the first byte
     * @param bytes the number of bytes
     * @return false if the key does not grant the access, or not without waiting; the grant is then closed
     */
    public boolean tryOpenLocal(int lkey, int access, long address, long bytes) {
        return open(false, false, lkey, access, address, bytes);
    }

    /**
     * Opens memory on behalf of the peer.
     *
     * @param rkey the key of a region or a window
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}
     * @param address the address of the first byte, in the key's address space
     * @param bytes the number of bytes
     * @return false if the key does not grant the access; the grant is then closed
     */
    public boolean openRemote(int rkey, int access, long address, long bytes) {
        return open(true, true, rkey, access, address, bytes);
    }

    /**
     * Returns whether a remote key grants the rights at any address.
     *
     * @param rkey the key of a region or a window
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}
     * @return true if the rights are granted for some address
     */
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

    /**
     * Opens memory on behalf of the peer, without waiting for a change in progress.
     *
     * @param rkey the key of a region or a window
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}
     * @param address the address of the first byte, in the key's address space
     * @param bytes the number of bytes
     * @return false if the key does not grant the access, or not without waiting; the grant is then closed
     */
    public boolean tryOpenRemote(int rkey, int access, long address, long bytes) {
        return open(true, false, rkey, access, address, bytes);
    }

    private boolean open(boolean forPeer, boolean waits, int key, int access, long address, long bytes) {
        AccessPoint last = accessPoint;
        // The remembered access point is the one in the table if this grant can enter it: deregistered memory refuses
        // readers at its access point.
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
            // Not before: if the access is refused, the remembered access point stays, and with it how it was found.
            remote = forPeer;
        }
        return open;
    }

    private boolean enter(AccessPoint at, boolean waits) {
        return waits ? at.enter(beforeWaiting) : at.tryEnter();
    }

    /** Checks the access and remembers the access point. Leaves it if the access is refused. */
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

    /** Returns the granted memory. */
    private MemoryPieces pieces() {
        AccessPoint open = accessPoint;
        return inside && open != null ? open.pieces() : MemoryPieces.NONE;
    }

    /** Returns the granted memory if it is one piece; positions count in it. */
    private @Nullable MemorySegment only() {
        AccessPoint open = accessPoint;
        return inside && open != null ? open.only() : null;
    }

    /**
     * Copies granted bytes out, from the first one on.
     *
     * @param target the memory to copy to
     * @param offset the offset in the target
     * @param bytes the number of bytes, at most those granted
     * @return false if the memory has been freed; some bytes may then have been copied
     */
    public boolean copyTo(MemorySegment target, long offset, int bytes) {
        return pieces().copyTo(position, target, offset, bytes);
    }

    /**
     * Copies bytes in, from the first granted one on.
     *
     * @param source the memory to copy from
     * @param offset the offset in the source
     * @param bytes the number of bytes, at most those granted
     * @return false if the memory has been freed; some bytes may then have been copied
     */
    public boolean copyFrom(MemorySegment source, long offset, int bytes) {
        return copyFrom(source, offset, 0, bytes);
    }

    /**
     * Copies bytes in, after a number of granted bytes.
     *
     * @param source the memory to copy from
     * @param offset the offset in the source
     * @param skip the number of granted bytes that stay unchanged
     * @param bytes the number of bytes; with {@code skip} at most those granted
     * @return false if the memory has been freed; some bytes may then have been copied
     */
    public boolean copyFrom(MemorySegment source, long offset, long skip, int bytes) {
        orderWrites();
        return pieces().copyFrom(source, false, offset, position + skip, bytes);
    }

    /**
     * Copies the first granted bytes of another grant in. The bytes must be {@linkplain #isOnePiece one piece} there.
     *
     * @param source the grant to copy from
     * @param bytes the number of bytes, at most those that either grants
     * @return false if the memory of either grant has been freed; some bytes may then have been copied
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
     * <b>Writes become visible in order.</b> A thread that reads a byte of the next write with acquire semantics sees
     * all earlier writes of this side. An application may poll memory for the second of two RDMA WRITEs
     * (ibv_reg_mr(3)), and a resting grant is not closed between the two.
     */
    private static void orderWrites() {
        VarHandle.releaseFence();
    }

    /**
     * Returns whether the memory can be freed while the grant is open. An access to eight bytes may then throw
     * IllegalStateException or InternalError.
     *
     * @return true if it can
     */
    public boolean isGuarded() {
        return pieces().isGuarded();
    }

    /**
     * Returns whether granted bytes are contiguous in memory.
     *
     * @param bytes the number of bytes, at most those granted
     * @return true if {@link #segment()} has all of them from {@link #offset()} on
     */
    public boolean isOnePiece(int bytes) {
        return only() != null || pieces().isOnePiece(position, bytes);
    }

    /**
     * Returns the memory itself, for access while the grant is open.
     *
     * @return the piece of memory with the first granted byte
     */
    public MemorySegment segment() {
        return pieces().segment(position);
    }

    /**
     * Returns the offset of the first granted byte.
     *
     * @return an offset in {@link #segment()}
     */
    public long offset() {
        return pieces().offset(position);
    }

    /**
     * Returns whether the first eight granted bytes can be changed atomically. An address that is a multiple of eight
     * does not suffice, because the memory may begin anywhere.
     *
     * @return true if the memory itself is aligned
     */
    public boolean isAtomic() {
        return pieces().isAtomic(position);
    }

    /**
     * Adds to the first eight bytes, in this machine's byte order, atomically with respect to all threads of this
     * process.
     *
     * @param delta the value to add
     * @return the former value
     */
    public long getAndAdd(long delta) {
        return pieces().getAndAdd(position, delta);
    }

    /**
     * Replaces the first eight bytes if they have an expected value, atomically with respect to all threads of this
     * process.
     *
     * @param expected the expected value
     * @param value the new value
     * @return the former value
     */
    public long compareAndExchange(long expected, long value) {
        return pieces().compareAndExchange(position, expected, value);
    }

    /**
     * Sets the first eight bytes atomically.
     *
     * @param value the new value
     */
    public void set(long value) {
        pieces().setVolatile(position, value);
    }

    /**
     * Ends the use, but keeps the access point entered for a later access to the same memory, which then costs less.
     * The grant must be closed soon, and before its user waits for anything.
     */
    public void rest() {
        position = -1;
    }

    /** Closes the grant. Idempotent. */
    public void close() {
        AccessPoint open = accessPoint;
        if (inside && open != null) {
            inside = false;
            open.leave();
        }
    }
}
