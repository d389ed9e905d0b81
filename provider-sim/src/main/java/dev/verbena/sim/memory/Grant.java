package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The right to touch some bytes for a moment: opened by key and address, used, closed. While it is open the memory cannot be
 * taken away, and whoever wants to waits; so at most the work of a few packets is done with it. Between packets that follow each
 * other at once it may {@linkplain #rest() rest} instead of being closed, for as long as its user waits for nothing. It is
 * reused; one thread at a time.
 */
public final class Grant {
    private final MemoryTable table;
    private final MemoryUser user;
    /** That of {@link #user}, which may be far away. */
    private final Object domain;

    private final Half half;
    private final @Nullable Runnable beforeWaiting;
    /** What was entered last. It stays here when it is left, as storing a reference has a barrier. */
    private @Nullable Entrance entrance;
    /** Whether {@link #entrance} is entered. */
    private boolean inside;
    /** Whether {@link #entrance} was found for the peer. */
    private boolean remote;

    private long position;

    /**
     * Makes a grant that is closed.
     *
     * @param table where the keys are
     * @param user who presents them
     * @param half which half of the queue pair that is
     */
    public Grant(MemoryTable table, MemoryUser user, Half half) {
        this(table, user, half, null);
    }

    /**
     * Makes a grant that is closed, for somebody who may hold another one while it is opened: who changes the memory of both
     * waits until the other is closed, and so that has to be given up before this waits for the change.
     *
     * @param table where the keys are
     * @param user who presents them
     * @param half which half of the queue pair that is
     * @param beforeWaiting closes what else is open; null if nothing ever is
     */
    public Grant(MemoryTable table, MemoryUser user, Half half, @Nullable Runnable beforeWaiting) {
        this.table = table;
        this.user = user;
        domain = user.domain;
        this.half = half;
        this.beforeWaiting = beforeWaiting;
    }

    /**
     * Asks for memory of this side's own requests.
     *
     * @param lkey the local key
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}, 0 to read
     * @param address the first byte
     * @param bytes how many
     * @return false if the key does not give that; then the grant stays closed
     */
    public boolean openLocal(int lkey, int access, long address, long bytes) {
        return open(false, true, lkey, access, address, bytes);
    }

    /**
     * Asks for memory of this side's own requests, and does not wait if it is being changed.
     *
     * @param lkey the local key
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}, 0 to read
     * @param address the first byte
     * @param bytes how many
     * @return false if the key does not give that, or not at this moment; then the grant stays closed
     */
    public boolean tryOpenLocal(int lkey, int access, long address, long bytes) {
        return open(false, false, lkey, access, address, bytes);
    }

    /**
     * Asks for memory on behalf of the peer.
     *
     * @param rkey the key of a region or a window
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}
     * @param address the first byte, as the key counts
     * @param bytes how many
     * @return false if the key does not give that; then the grant stays closed
     */
    public boolean openRemote(int rkey, int access, long address, long bytes) {
        return open(true, true, rkey, access, address, bytes);
    }

    /**
     * Tells whether a remote key gives a right at all, wherever.
     *
     * @param rkey the key of a region or a window
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}
     * @return true if some address could be granted
     */
    public boolean isGrantedSomewhere(int rkey, int access) {
        close();
        KeyedMemory found = table.find(rkey);
        Entrance at = found == null ? null : found.entrance(half);
        if (at == null || !at.enter(beforeWaiting)) {
            return false;
        }
        boolean allowed = at.allows(rkey, domain, user, access);
        at.leave();
        return allowed;
    }

    /**
     * Asks for memory on behalf of the peer, and does not wait if it is being changed.
     *
     * @param rkey the key of a region or a window
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}
     * @param address the first byte, as the key counts
     * @param bytes how many
     * @return false if the key does not give that, or not at this moment; then the grant stays closed
     */
    public boolean tryOpenRemote(int rkey, int access, long address, long bytes) {
        return open(true, false, rkey, access, address, bytes);
    }

    private boolean open(boolean forPeer, boolean waits, int key, int access, long address, long bytes) {
        Entrance last = entrance;
        // Memory that is gone is refused at its gate. So what was found by this key before is what the table has, if
        // one gets in.
        if (last != null && remote == forPeer && last.isFor(key) && (inside || enter(last, waits))) {
            return use(last, key, access, address, bytes);
        }
        close();
        KeyedMemory found = forPeer ? table.find(key) : table.region(key);
        if (found == null) {
            return false;
        }
        Entrance at = found.entrance(half);
        boolean open = enter(at, waits) && use(at, key, access, address, bytes);
        if (open) {
            // Not before: what is remembered stays if this is refused, and with it how it was found.
            remote = forPeer;
        }
        return open;
    }

    private boolean enter(Entrance at, boolean waits) {
        return waits ? at.enter(beforeWaiting) : at.tryEnter();
    }

    /** What was entered stays so if this is true. */
    @SuppressWarnings("ReferenceEquality")
    private boolean use(Entrance found, int key, int access, long address, long bytes) {
        long at = found.allows(key, domain, user, access) ? found.position(address, bytes) : -1;
        inside = at >= 0;
        if (!inside) {
            found.leave();
            return false;
        }
        if (entrance != found) {
            entrance = found;
        }
        position = at;
        return true;
    }

    /** The memory that was granted. */
    private MemoryPieces pieces() {
        Entrance open = entrance;
        return inside && open != null ? open.pieces() : MemoryPieces.NONE;
    }

    /** The memory that was granted, if it is one piece; positions count in that. */
    private @Nullable MemorySegment only() {
        Entrance open = entrance;
        return inside && open != null ? open.only() : null;
    }

    /**
     * Copies the granted bytes out, from the first one on.
     *
     * @param target where to
     * @param offset where in the target
     * @param bytes how many, at most those granted
     * @return false if the memory is gone, and then some bytes may have been copied
     */
    public boolean copyTo(MemorySegment target, long offset, int bytes) {
        return pieces().copyTo(position, target, offset, bytes);
    }

    /**
     * Copies bytes in, from the first granted one on.
     *
     * @param source where from
     * @param offset where in the source
     * @param bytes how many, at most those granted
     * @return false if the memory is gone, and then some bytes may have been copied
     */
    public boolean copyFrom(MemorySegment source, long offset, int bytes) {
        return copyFrom(source, offset, 0, bytes);
    }

    /**
     * Copies bytes in, behind some that were granted.
     *
     * @param source where from
     * @param offset where in the source
     * @param skip how many of the granted bytes are left as they are
     * @param bytes how many, with {@code skip} at most those granted
     * @return false if the memory is gone, and then some bytes may have been copied
     */
    public boolean copyFrom(MemorySegment source, long offset, long skip, int bytes) {
        orderWrites();
        return pieces().copyFrom(source, offset, position + skip, bytes);
    }

    /**
     * Copies the first granted bytes of another grant in, which are {@linkplain #isOnePiece one piece} there.
     *
     * @param source where from
     * @param bytes how many, at most those that either grants
     */
    public void copyFrom(Grant source, int bytes) {
        MemorySegment to = only();
        MemorySegment wholeSource = source.only();
        long at = source.position;
        if (to != null && wholeSource != null) {
            orderWrites();
            MemorySegment.copy(wholeSource, at, to, position, bytes);
        } else {
            copyFrom(source.segment(), source.offset(), bytes);
        }
    }

    /**
     * <b>Writes become visible in order.</b> A thread that reads a byte of the next write with acquire semantics sees all earlier writes of
     * this side. A thread may poll memory for the second of two RDMA WRITEs (ibv_reg_mr(3)), and a grant that rests is not left
     * between the two.
     */
    private static void orderWrites() {
        VarHandle.releaseFence();
    }

    /**
     * Returns whether the memory can vanish while the grant is open: then an access to eight bytes may throw
     * IllegalStateException or InternalError.
     *
     * @return true if it may
     */
    public boolean isGuarded() {
        return pieces().isGuarded();
    }

    /**
     * Tells whether granted bytes lie one behind the other in memory.
     *
     * @param bytes how many, at most those granted
     * @return true if {@link #segment()} has them all from {@link #offset()} on
     */
    public boolean isOnePiece(int bytes) {
        return only() != null || pieces().isOnePiece(position, bytes);
    }

    /**
     * Returns the memory itself, to be touched while the grant is open.
     *
     * @return the piece of memory with the first granted byte
     */
    public MemorySegment segment() {
        return pieces().segment(position);
    }

    /**
     * Returns where the granted bytes begin.
     *
     * @return an offset in {@link #segment()}
     */
    public long offset() {
        return pieces().offset(position);
    }

    /**
     * Tells whether the first eight granted bytes can be changed at once. An address that is a multiple of eight does not
     * suffice, as the memory may begin anywhere.
     *
     * @return true if the memory itself is aligned
     */
    public boolean isAtomic() {
        return pieces().isAtomic(position);
    }

    /**
     * Adds to the first eight bytes, in this machine's byte order, atomically against everybody in this process.
     *
     * @param delta what to add
     * @return the former value
     */
    public long getAndAdd(long delta) {
        return pieces().getAndAdd(position, delta);
    }

    /**
     * Replaces the first eight bytes if they hold an expected value, atomically against everybody in this process.
     *
     * @param expected the expected value
     * @param value the new value
     * @return the former value
     */
    public long compareAndExchange(long expected, long value) {
        return pieces().compareAndExchange(position, expected, value);
    }

    /**
     * Sets the first eight bytes at once.
     *
     * @param value the new value
     */
    public void set(long value) {
        pieces().setVolatile(position, value);
    }

    /**
     * Ends the use, but stays where it is, as something there may be asked for next: that costs less. To be closed before its
     * user waits for anything, and soon.
     */
    public void rest() {
        position = -1;
    }

    /** Gives the right back. */
    public void close() {
        Entrance open = entrance;
        if (inside && open != null) {
            inside = false;
            open.leave();
        }
    }
}
