// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryWindowType;
import org.jspecify.annotations.Nullable;

/** A memory window, which grants remote access to a range of a region. Corresponds to {@code rxe_mw}. Thread-safe. */
public final class RegisteredWindow extends ProtectionEntry {
    private static final int ZERO_BASED = AccessFlag.ZERO_BASED.mask();
    private static final int GRANTABLE = AccessFlag.REMOTE_READ.mask()
            | AccessFlag.REMOTE_WRITE.mask()
            | AccessFlag.REMOTE_ATOMIC.mask()
            | AccessFlag.FLUSH_GLOBAL.mask()
            | ZERO_BASED;

    private final MemoryWindowType type;
    private final boolean ownedByNumber;
    private @Nullable RegisteredMemory region;
    /** The queue pair that bound a type 2 window; constant while a thread accesses memory through the window. */
    private @Nullable MemoryUser owner;

    private boolean ended;

    RegisteredWindow(int key, Object domain, MemoryWindowType type, boolean ownedByNumber) {
        super(key, domain, false);
        this.type = type;
        this.ownedByNumber = ownedByNumber;
    }

    public MemoryWindowType type() {
        return type;
    }

    /**
     * Returns whether a queue pair may use the memory window. A type 2A memory window permits access by every queue pair
     * whose QPN equals the QPN of the binding queue pair. A type 2B memory window permits access only by the binding queue
     * pair. The caller has already compared the protection domains of the memory window and the queue pair.
     */
    @Override
    boolean admits(MemoryUser user) {
        MemoryUser bound = owner;
        return bound == null || isSame(bound, user) || (ownedByNumber && bound.number == user.number);
    }

    /**
     * Binds the memory window. A type 1 window may already be bound; a bind with length 0 unbinds it. A bind of a type 1
     * window ignores {@code presentKey}, and compares only the index of {@code newKey} with the index of the window's key.
     * After a flushed bind, the application's R_Key and the window's R_Key may differ in the low byte. A type 2 window must
     * be unbound, and {@code presentKey} must equal the window's key. Returns false, without an effect, if the
     * specification forbids the bind.
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
        // The region cannot change while a window is bound to the region, so the region's fields are read without a
        // lock.
        long from = memory.position(address, bytes);
        long start = (rights & ZERO_BASED) != 0 ? 0 : address;
        validate(newKey, domain(), rights, memory.pieces(), from, bytes, start);
        return true;
    }

    /**
     * Invalidates the key of a type 2 memory window. A bound type 2B memory window can be invalidated only through its own
     * queue pair. A bound type 2A memory window can be invalidated through any queue pair of its protection domain. Returns
     * false if {@code oldKey} is not the window's key, or if the specification forbids the invalidation.
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

    /** Deallocates the memory window. When {@code end()} returns, no access through the memory window is in progress. */
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
