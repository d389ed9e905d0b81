// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * The superclass of memory regions and memory windows. Contains the L_Key or R_Key, the memory to which the key grants
 * access, and the access rights that the key grants.
 *
 * <p>Two {@link AccessPoint} objects, one for requesters and one for responders, count the memory accesses in progress
 * (reader count). To access the memory, a thread increments one reader count, and checks bounds and access rights. The
 * thread decrements this reader count after it has copied the bytes of a few packets at most. A thread that changes bounds
 * or access rights first stops new accesses, then waits until no access is in progress. No thread accesses deregistered
 * memory. No access check uses a mixture of old and new bounds and access rights. Threads that change bounds or access
 * rights hold the monitor of the {@code ProtectionEntry}.
 */
abstract class ProtectionEntry {
    private final AccessPoint sending;
    private final AccessPoint receiving;

    private volatile int key;

    /**
     * If {@code admitsAll} is true, every queue pair of the protection domain may use the memory, otherwise only the queue
     * pairs that {@link #admits} accepts.
     */
    ProtectionEntry(int key, Object domain, boolean admitsAll) {
        this.key = key;
        sending = new AccessPoint(this, admitsAll, key, domain);
        receiving = new AccessPoint(this, admitsAll, key, domain);
    }

    public final int key() {
        return key;
    }

    final AccessPoint accessPoint(QpRole role) {
        return role == QpRole.REQUESTER ? sending : receiving;
    }

    /**
     * Returns the reason why a memory key does not permit an access by a queue pair. Call only after the access check has
     * denied the access, because this method is slower than the access check.
     */
    final KeyDefect defect(int wantedKey, MemoryUser user, int wantedAccess, long address, long bytes) {
        if (!sending.enter(null)) {
            return KeyDefect.UNKNOWN;
        }
        try {
            if (key != wantedKey) {
                return KeyDefect.UNKNOWN;
            }
            if (!isSame(sending.domain(), user.domain) || !admits(user)) {
                return KeyDefect.OF_ANOTHER;
            }
            if ((sending.access() & wantedAccess) != wantedAccess) {
                return KeyDefect.LACKS_RIGHT;
            }
            return position(address, bytes) < 0 ? KeyDefect.OUT_OF_RANGE : KeyDefect.NONE;
        } finally {
            sending.leave();
        }
    }

    /**
     * Returns whether a queue pair of the key's protection domain may use the key. The access check calls {@code admits}
     * only if the memory is restricted to some queue pairs of the protection domain.
     */
    abstract boolean admits(MemoryUser user);

    /**
     * Returns the offset of an address in {@link #pieces()}, or -1 if some of the bytes are out of bounds. Call only after
     * {@link AccessPoint#enter}, with this object's monitor held, or while a memory window is bound to the memory.
     */
    final long position(long address, long bytes) {
        return sending.position(address, bytes);
    }

    /**
     * Returns the memory. Only a thread that has called {@link AccessPoint#enter}, or holds this object's monitor, may
     * call this method.
     */
    final MemoryPieces pieces() {
        return sending.pieces();
    }

    final Object domain() {
        return sending.domain();
    }

    final int access() {
        return sending.access();
    }

    final boolean isValid() {
        return sending.isValid();
    }

    /** Denies later accesses, and returns when no access is in progress. Call only with this object's monitor held. */
    final void invalidate() {
        sending.refuse();
        receiving.refuse();
        drain();
    }

    /**
     * Makes all later accesses wait until {@link #validate} is called, and returns when no access to the memory is in progress.
     * Call only with this object's monitor held, and only if the key is valid.
     */
    final void hold() {
        sending.hold();
        receiving.hold();
        drain();
    }

    /**
     * Makes the key valid: the key then grants the given access rights to the given memory. The caller must hold this
     * object's monitor, and must have called {@link #invalidate} or {@link #hold}.
     */
    final void validate(
            int newKey, Object newDomain, int newAccess, MemoryPieces memory, long from, long size, long at) {
        key = newKey;
        sending.set(newKey, newDomain, newAccess, memory, from, size, at);
        receiving.set(newKey, newDomain, newAccess, memory, from, size, at);
        sending.open();
        receiving.open();
    }

    /** Sets the key. Call only with this object's monitor held, while the key is invalid. */
    final void rekey(int newKey) {
        key = newKey;
        sending.rekey(newKey);
        receiving.rekey(newKey);
    }

    /** Releases the memory. Call only with this object's monitor held, while the key is invalid. */
    final void forget() {
        sending.forget();
        receiving.forget();
    }

    private void drain() {
        sending.drain();
        receiving.drain();
    }

    /** Returns whether two keys have the same index, and so identify the same memory region or memory window. */
    static boolean sameIndex(int one, int other) {
        return (one ^ other) >>> MemoryTable.KEY_BITS == 0;
    }

    @Override
    public String toString() {
        return "key 0x" + Integer.toHexString(key);
    }

    @SuppressWarnings("ReferenceEquality")
    static boolean isSame(Object one, Object other) {
        return one == other;
    }
}
