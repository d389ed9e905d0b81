// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import dev.verbena.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/**
 * A memory region that is registered by work requests, not by verbs calls ({@code IB_MR_TYPE_MEM_REG} or {@code
 * IB_MR_TYPE_SG_GAPS}). A new region is FREE. REG_MR makes the region VALID. LOCAL_INV or a peer's SEND with invalidate
 * makes the region FREE again.
 */
public final class FastMemory extends RegisteredMemory {
    private static final int REMOTE = AccessFlag.REMOTE_READ.mask()
            | AccessFlag.REMOTE_WRITE.mask()
            | AccessFlag.REMOTE_ATOMIC.mask()
            | AccessFlag.FLUSH_GLOBAL.mask();
    private static final int GRANTABLE =
            AccessFlag.LOCAL_WRITE.mask() | REMOTE | AccessFlag.MW_BIND.mask() | AccessFlag.RELAXED_ORDERING.mask();

    private @Nullable MemoryPieces staged;
    private long stagedStart;

    FastMemory(int key, Object domain) {
        super(key, domain);
    }

    /**
     * Sets the memory that the next REG_MR registers. The currently registered memory does not change. Returns the
     * currently registered memory, or null if the region is not VALID. The caller must keep the arenas of the returned
     * memory open.
     */
    public synchronized @Nullable MemoryPieces stage(MemoryPieces memory, long start) {
        staged = memory;
        stagedStart = start;
        return isValid() ? pieces() : null;
    }

    /**
     * Executes REG_MR; returns false if REG_MR fails. REG_MR fails if the region is not FREE or has no memory for the next
     * REG_MR. REG_MR also fails if {@code newKey} and the region have different key indexes, or if {@code user} and the
     * region have different protection domains. REG_MR also fails if the new rights are not permitted.
     */
    synchronized boolean register(MemoryUser user, int newKey, int newAccess) {
        MemoryPieces memory = staged;
        if (memory == null
                || isValid()
                || hasEnded()
                || !isSame(domain(), user.domain)
                || !sameIndex(key(), newKey)
                || (newAccess & ~GRANTABLE) != 0
                || !isConsistent(newAccess)) {
            return false;
        }
        validate(newKey, domain(), newAccess, memory, 0, memory.length(), stagedStart);
        return true;
    }

    /**
     * Makes the region FREE. A peer can invalidate only a VALID memory region with a remote access flag. LOCAL_INV can also
     * invalidate a memory region that is already FREE. Returns false if the key or the protection domain is wrong, or if a
     * memory window is bound to the region.
     */
    synchronized boolean invalidate(MemoryUser user, int oldKey, boolean byPeer) {
        if (key() != oldKey
                || !isSame(domain(), user.domain)
                || windows() > 0
                || (byPeer && (!isValid() || (access() & REMOTE) == 0))) {
            return false;
        }
        invalidate();
        forget();
        return true;
    }
}
