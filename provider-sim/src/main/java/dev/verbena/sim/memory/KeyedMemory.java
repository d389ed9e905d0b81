package dev.verbena.sim.memory;

/**
 * Memory behind a key, with the rights that the key gives: what a region and a window have in common.
 *
 * <p>Two {@linkplain Entrance entrances} keep those who use it and those who change it apart. A use enters by one, reads there what
 * the key gives, copies at most a few packets, and leaves. Who changes that shuts both first and waits until everybody is out; so
 * nobody touches memory that was taken away, and nobody sees half a change. Changes exclude each other by the monitor of the subclass.
 */
abstract class KeyedMemory {
    private final Entrance sending;
    private final Entrance receiving;

    private volatile int key;

    /** Memory that every queue pair of the domain may use, or only those that it {@linkplain #admits admits}. */
    KeyedMemory(int key, Object domain, boolean admitsAll) {
        this.key = key;
        sending = new Entrance(this, admitsAll, key, domain);
        receiving = new Entrance(this, admitsAll, key, domain);
    }

    /**
     * Returns the present key.
     *
     * @return 32 bits
     */
    public final int key() {
        return key;
    }

    /** Where one half of a queue pair enters. */
    final Entrance entrance(Half half) {
        return half == Half.SENDING ? sending : receiving;
    }

    /** Why the key does not give bytes to a queue pair; to be asked by who was refused, since it is slower than to ask for them. */
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

    /** Whether this queue pair, of the right domain, may use the key. Only asked if not all may. */
    abstract boolean admits(MemoryUser user);

    /** To be asked inside: the position of an address in {@link #pieces()}, or -1 if not all the bytes are in bounds. */
    final long position(long address, long bytes) {
        return sending.position(address, bytes);
    }

    /** To be asked inside, or under the monitor: the memory. */
    final MemoryPieces pieces() {
        return sending.pieces();
    }

    /** Under the monitor: the domain. */
    final Object domain() {
        return sending.domain();
    }

    /** Under the monitor: the rights, a mask. */
    final int access() {
        return sending.access();
    }

    final boolean isValid() {
        return sending.isValid();
    }

    /** Under the monitor: from when this returns nobody is inside, and nobody enters. */
    final void invalidate() {
        sending.refuse();
        receiving.refuse();
        drain();
    }

    /** Under the monitor, and valid: keeps everybody waiting until {@link #validate} is done. */
    final void hold() {
        sending.hold();
        receiving.hold();
        drain();
    }

    /** Under the monitor, after {@link #invalidate} or {@link #hold}: gives the key these rights on this memory. */
    final void validate(
            int newKey, Object newDomain, int newAccess, MemoryPieces memory, long from, long size, long at) {
        key = newKey;
        sending.set(newKey, newDomain, newAccess, memory, from, size, at);
        receiving.set(newKey, newDomain, newAccess, memory, from, size, at);
        sending.open();
        receiving.open();
    }

    /** Under the monitor, invalid: the key that it is known by. */
    final void rekey(int newKey) {
        key = newKey;
        sending.rekey(newKey);
        receiving.rekey(newKey);
    }

    /** Under the monitor, invalid: forgets the memory. */
    final void forget() {
        sending.forget();
        receiving.forget();
    }

    private void drain() {
        sending.drain();
        receiving.drain();
    }

    /** Whether two keys have the same index, and so name the same object. */
    static boolean sameIndex(int one, int other) {
        return (one ^ other) >>> MemoryTable.KEY_BITS == 0;
    }

    @Override
    public String toString() {
        return "key 0x" + Integer.toHexString(key);
    }

    /** Domains and queue pairs are the same only if they are one object. */
    @SuppressWarnings("ReferenceEquality")
    static boolean isSame(Object one, Object other) {
        return one == other;
    }
}
