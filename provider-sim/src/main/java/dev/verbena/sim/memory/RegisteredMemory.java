// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import dev.verbena.verbs.AccessFlag;
import java.lang.foreign.MemorySegment;

/** A memory region of any type. Its L_Key equals its R_Key. Corresponds to {@code rxe_mr}. Thread-safe. */
public abstract sealed class RegisteredMemory extends ProtectionEntry permits UserMemory, FastMemory, FmrMemory {
    private static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.mask();
    private static final int REMOTE_CHANGES = AccessFlag.REMOTE_WRITE.mask() | AccessFlag.REMOTE_ATOMIC.mask();

    private int windows;
    private boolean ended;

    RegisteredMemory(int key, Object domain) {
        super(key, domain, true);
    }

    /** Returns true, because every queue pair of the protection domain may use a memory region. */
    @Override
    final boolean admits(MemoryUser user) {
        return true;
    }

    /**
     * Returns whether the access flags are consistent. If they permit remote writes or remote atomics, they must also
     * permit local writes (IBTA volume 1, 10.6.3.1).
     */
    static boolean isConsistent(int access) {
        return (access & REMOTE_CHANGES) == 0 || (access & LOCAL_WRITE) != 0;
    }

    public final synchronized int windows() {
        return windows;
    }

    /**
     * Counts a memory window as bound to this region, if the rules of IBTA volume 1, 10.6.7.2 permit the bind. A region
     * to which memory windows are bound cannot be changed. Returns false if the specification forbids binding the
     * memory window.
     */
    final synchronized boolean attach(int lkey, Object windowDomain, int windowAccess, long address, long bytes) {
        boolean fits = isValid()
                && key() == lkey
                && isSame(domain(), windowDomain)
                && (access() & AccessFlag.MW_BIND.mask()) != 0
                && (access() & AccessFlag.ZERO_BASED.mask()) == 0
                && ((windowAccess & REMOTE_CHANGES) == 0 || (access() & LOCAL_WRITE) != 0)
                && position(address, bytes) >= 0;
        if (fits) {
            windows++;
        }
        return fits;
    }

    final synchronized void detach() {
        windows--;
    }

    /** Deregisters the memory region, and returns true. Returns false if memory windows are bound to the region. */
    final synchronized boolean end() {
        if (windows > 0) {
            return false;
        }
        ended = true;
        invalidate();
        forget();
        return true;
    }

    /**
     * Copies bytes of this memory region, for inline data of a work request, without a check of L_Key and access rights.
     * Returns UNKNOWN if the region does not contain all the bytes, or VANISHED if the memory has been freed.
     */
    public final KeyDefect read(long address, MemorySegment target, long offset, int bytes) {
        ReaderCount readers = accessPoint(QpRole.REQUESTER);
        if (!readers.enter(null)) {
            return KeyDefect.UNKNOWN;
        }
        try {
            long at = position(address, bytes);
            if (at < 0) {
                return KeyDefect.UNKNOWN;
            }
            return pieces().copyTo(at, target, offset, bytes) ? KeyDefect.NONE : KeyDefect.VANISHED;
        } finally {
            readers.leave();
        }
    }

    final boolean hasEnded() {
        return ended;
    }
}
