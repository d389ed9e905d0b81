package dev.verbena.sim.memory;

/**
 * Memory behind a key, with the rights that the key gives: what a region and a window have in common.
 *
 * <p>Gates keep those who use it and those who change it apart. A use enters by one, reads the fields, copies at most a packet, and
 * leaves. Who changes the fields shuts both first and waits until everybody is out; so nobody touches memory that was
 * taken away, and nobody sees half a change. Changes exclude each other by the monitor of the subclass.
 */
abstract class KeyedMemory {
    private final Gate sending = new Gate();
    private final Gate receiving = new Gate();

    private volatile int key;

    // Written while the gates are shut and nobody is inside; read inside.
    private Object domain;
    private int access;
    private long start;
    private long length;
    private long base;
    private MemoryPieces pieces = MemoryPieces.NONE;

    KeyedMemory(int key, Object domain) {
        this.key = key;
        this.domain = domain;
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
    final Gate gate(Half half) {
        return half == Half.SENDING ? sending : receiving;
    }

    /** To be asked inside: whether the key gives these rights to this queue pair. */
    final boolean allows(int wantedKey, Object userDomain, MemoryUser user, int wantedAccess) {
        return key == wantedKey
                && isSame(domain, userDomain)
                && (access & wantedAccess) == wantedAccess
                && admits(user);
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
            if (!isSame(domain, user.domain) || !admits(user)) {
                return KeyDefect.OF_ANOTHER;
            }
            if ((access & wantedAccess) != wantedAccess) {
                return KeyDefect.LACKS_RIGHT;
            }
            return position(address, bytes) < 0 ? KeyDefect.OUT_OF_RANGE : KeyDefect.NONE;
        } finally {
            sending.leave();
        }
    }

    /** Whether this queue pair, of the right domain, may use the key. */
    abstract boolean admits(MemoryUser user);

    /** To be asked inside: the position of an address in {@link #pieces()}, or -1 if not all the bytes are in bounds. */
    final long position(long address, long bytes) {
        long offset = address - start;
        // Unsigned, so that an address below the start is a huge offset and no sum can overflow.
        return Long.compareUnsigned(offset, length) <= 0 && bytes >= 0 && bytes <= length - offset ? base + offset : -1;
    }

    /** To be asked inside, or under the monitor: the memory. */
    final MemoryPieces pieces() {
        return pieces;
    }

    /** Under the monitor: the domain. */
    final Object domain() {
        return domain;
    }

    /** Under the monitor: the rights, a mask. */
    final int access() {
        return access;
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
        domain = newDomain;
        access = newAccess;
        pieces = memory;
        base = from;
        length = size;
        start = at;
        sending.open();
        receiving.open();
    }

    /** Under the monitor, invalid: the key that it is known by. */
    final void rekey(int newKey) {
        key = newKey;
    }

    /** Under the monitor, invalid: forgets the memory. */
    final void forget() {
        pieces = MemoryPieces.NONE;
        access = 0;
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
