package dev.verbena.sim.memory;

import dev.verbena.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/**
 * A registration that work requests make and end: FREE at first; REG_MR makes it VALID, LOCAL_INV or a peer's SEND with
 * invalidate makes it FREE again ({@code IB_MR_TYPE_MEM_REG}).
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
     * Sets what the next REG_MR will cover. What is VALID now stays so.
     *
     * @param memory the bytes
     * @param start the address of the first one
     * @return what is VALID now, so that it must be kept alive; null if nothing is
     */
    public synchronized @Nullable MemoryPieces stage(MemoryPieces memory, long start) {
        staged = memory;
        stagedStart = start;
        return isValid() ? pieces() : null;
    }

    /** REG_MR; false if it is not FREE, nothing is mapped, or key, domain or rights do not fit. */
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
     * Makes it FREE. A peer can only end what it was given a right to; the owner may end what is FREE already.
     *
     * @return false if the key is not the present one, the domain is another, or a window is bound to it
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
