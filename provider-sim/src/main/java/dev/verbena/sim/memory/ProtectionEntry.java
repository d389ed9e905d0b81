// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * Memory that a key grants access to, with the rights of the key: the common part of regions and windows.
 *
 * <p>Two access points (see {@link AccessPoint}), one for requesters and one for responders, protect readers from writers. An
 * access enters one access point, checks bounds and rights in it, copies at most a few packets, and leaves. A writer of bounds
 * or rights first closes both access points, then waits until both reader counts are zero. No access reaches memory that was
 * deregistered, and no reader sees a partial change. Writers exclude each other by the monitor of the subclass.
 */
abstract class ProtectionEntry {
    private final AccessPoint sending;
    private final AccessPoint receiving;

    private volatile int key;

    /**
     * If the parameter {@code admitsAll} is true, every queue pair of the domain may use the memory, otherwise only the queue
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
     * Returns the reason why the key does not grant an access to a queue pair. Call only after a refusal, because this method
     * is slower than the access check.
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
     * Returns whether a queue pair of the key's protection domain may use the key. If every queue pair of the domain may use the
     * memory, the access check does not call this method.
     */
    abstract boolean admits(MemoryUser user);

    /**
     * Returns the position of an address in {@link #pieces()}, or -1 if some of the bytes are out of bounds. The caller must
     * have entered the access point.
     */
    final long position(long address, long bytes) {
        return sending.position(address, bytes);
    }

    /** Returns the memory. The caller must have entered an access point, or hold the monitor. */
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

    /** Refuses all readers, and returns when both reader counts are zero. Call only with the monitor held. */
    final void invalidate() {
        sending.refuse();
        receiving.refuse();
        drain();
    }

    /**
     * Makes readers wait until the call of {@link #validate}, and returns when both reader counts are zero. Call only with the
     * monitor held, and if the key is valid.
     */
    final void hold() {
        sending.hold();
        receiving.hold();
        drain();
    }

    /**
     * Makes the key valid: the key then grants the given rights on the given memory. Call only with the monitor held, after
     * {@link #invalidate} or {@link #hold}.
     */
    final void validate(
            int newKey, Object newDomain, int newAccess, MemoryPieces memory, long from, long size, long at) {
        key = newKey;
        sending.set(newKey, newDomain, newAccess, memory, from, size, at);
        receiving.set(newKey, newDomain, newAccess, memory, from, size, at);
        sending.open();
        receiving.open();
    }

    /** Sets the key. Call only with the monitor held, while the key is invalid. */
    final void rekey(int newKey) {
        key = newKey;
        sending.rekey(newKey);
        receiving.rekey(newKey);
    }

    /** Releases the memory. Call only with the monitor held, while the key is invalid. */
    final void forget() {
        sending.forget();
        receiving.forget();
    }

    private void drain() {
        sending.drain();
        receiving.drain();
    }

    /** Returns whether two keys have the same index and therefore name the same object. */
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
