package dev.verbena.sim.memory;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryWindowType;
import org.jspecify.annotations.Nullable;

/** Remote access to a part of a region, given and taken by work requests: rxe_mw. May be used from several threads. */
public final class RegisteredWindow extends KeyedMemory {
    private static final int ZERO_BASED = AccessFlag.ZERO_BASED.mask();
    private static final int GRANTABLE = AccessFlag.REMOTE_READ.mask()
            | AccessFlag.REMOTE_WRITE.mask()
            | AccessFlag.REMOTE_ATOMIC.mask()
            | AccessFlag.FLUSH_GLOBAL.mask()
            | ZERO_BASED;

    private final MemoryWindowType type;
    private final boolean ownedByNumber;
    private @Nullable RegisteredMemory region;
    /** The queue pair that bound a window of type 2; written while nobody is inside. */
    private @Nullable MemoryUser owner;

    private boolean ended;

    RegisteredWindow(int key, Object domain, MemoryWindowType type, boolean ownedByNumber) {
        super(key, domain, false);
        this.type = type;
        this.ownedByNumber = ownedByNumber;
    }

    /**
     * Returns the kind.
     *
     * @return type 1 or type 2
     */
    public MemoryWindowType type() {
        return type;
    }

    /** Type 2A goes by the number of the queue pair, type 2B by the queue pair; the domain counts for all. */
    @Override
    boolean admits(MemoryUser user) {
        MemoryUser bound = owner;
        return bound == null || isSame(bound, user) || (ownedByNumber && bound.number == user.number);
    }

    /**
     * Binds it. A window of type 1 may be bound already, a binding of length 0 ends that; its presented key counts by the index
     * only, so that a bind that was flushed does not shut out all later ones. A window of type 2 must be free, and the presented
     * key its present one.
     *
     * @return false if the rules forbid it, and then nothing happens
     */
    synchronized boolean bind(
            MemoryUser user,
            int presentKey,
            int newKey,
            @Nullable RegisteredMemory memory,
            int lkey,
            long address,
            long bytes,
            int rights) {
        if (ended || !sameIndex(key(), newKey) || !isSame(domain(), user.domain) || (rights & ~GRANTABLE) != 0) {
            return false;
        }
        boolean free = region == null;
        boolean mayBind = switch (type) {
            case TYPE_1 -> (rights & ZERO_BASED) == 0;
            case TYPE_2 -> free && presentKey == key() && bytes > 0;
        };
        if (!mayBind) {
            return false;
        }
        if (bytes == 0) {
            unbind();
            rekey(newKey);
            return true;
        }
        if (memory == null || !memory.attach(lkey, domain(), rights, address, bytes)) {
            return false;
        }
        unbind();
        region = memory;
        owner = type == MemoryWindowType.TYPE_2 ? user : null;
        // As long as this window is bound the region cannot change, so that its fields may be read here.
        long from = memory.position(address, bytes);
        long start = (rights & ZERO_BASED) != 0 ? 0 : address;
        validate(newKey, domain(), rights, memory.pieces(), from, bytes, start);
        return true;
    }

    /**
     * Takes the key out of use: type 2 only. A bound window of type 2B can be invalidated through its queue pair only, one of
     * type 2A through any of the domain.
     *
     * @return false if the key is not the present one or the rules forbid it
     */
    synchronized boolean invalidate(MemoryUser user, int oldKey, boolean byPeer) {
        boolean free = region == null;
        if (type == MemoryWindowType.TYPE_1
                || key() != oldKey
                || !isSame(domain(), user.domain)
                || (byPeer && free)
                || (!ownedByNumber && !admits(user))) {
            return false;
        }
        unbind();
        return true;
    }

    /** Ends the window; when this returns nobody touches memory through it. */
    synchronized void end() {
        ended = true;
        unbind();
    }

    private void unbind() {
        RegisteredMemory bound = region;
        if (bound != null) {
            invalidate();
            forget();
            region = null;
            owner = null;
            bound.detach();
        }
    }
}
