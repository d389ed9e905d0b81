package dev.verbena.sim.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Memory behind a key, with the rights that the key gives: what a region and a window have in common.
 *
 * <p>A gate keeps those who use it and those who change it apart. A use enters, reads the fields, copies at most a packet, and
 * leaves. Who changes the fields shuts the gate first and waits until everybody is out; so nobody touches memory that was
 * taken away, and nobody sees half a change. Changes exclude each other by the monitor of the subclass.
 */
abstract class KeyedMemory {
    private static final VarHandle GATE;
    /** Nobody enters; a use is refused. */
    private static final int INVALID = 1 << 30;
    /** Nobody enters; a use waits, which is a matter of one packet. */
    private static final int CHANGING = 1 << 29;

    private static final int SHUT = INVALID | CHANGING;
    private static final int SPINS = 200;

    static {
        try {
            GATE = MethodHandles.lookup().findVarHandle(KeyedMemory.class, "gate", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** How many are inside, and the bits that keep others out; reached through {@link #GATE} only. */
    @SuppressWarnings("UnusedVariable")
    private int gate = INVALID;

    private volatile int key;

    // Written while the gate is shut and nobody is inside; read inside.
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

    /** Begins a use; false if there is nothing to use. */
    final boolean enter() {
        return enter(null);
    }

    /** Begins a use, and before it has to wait for that does something; false if there is nothing to use. */
    final boolean enter(@Nullable Runnable beforeWaiting) {
        int seen = (int) GATE.getAndAdd(this, 1);
        return (seen & SHUT) == 0 || enterLater(seen, beforeWaiting);
    }

    /** Begins a use if that is possible at once. */
    final boolean tryEnter() {
        boolean open = ((int) GATE.getAndAdd(this, 1) & SHUT) == 0;
        if (!open) {
            leave();
        }
        return open;
    }

    private boolean enterLater(int firstSeen, @Nullable Runnable beforeWaiting) {
        int seen = firstSeen;
        while ((seen & SHUT) != 0) {
            leave();
            if ((seen & INVALID) != 0) {
                return false;
            }
            if (beforeWaiting != null) {
                beforeWaiting.run();
            }
            for (int i = 0; ((int) GATE.getAcquire(this) & SHUT) == CHANGING; i++) {
                pause(i);
            }
            seen = (int) GATE.getAndAdd(this, 1);
        }
        return true;
    }

    /** Ends a use. */
    final void leave() {
        GATE.getAndAdd(this, -1);
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
        if (!enter()) {
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
            leave();
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
        return ((int) GATE.getAcquire(this) & INVALID) == 0;
    }

    /** Under the monitor: from when this returns nobody is inside, and nobody enters. */
    final void invalidate() {
        GATE.getAndBitwiseOr(this, INVALID);
        drain();
    }

    /** Under the monitor, and valid: keeps everybody waiting until {@link #validate} is done. */
    final void hold() {
        GATE.getAndBitwiseOr(this, CHANGING);
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
        GATE.getAndBitwiseAnd(this, ~SHUT);
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
        for (int i = 0; ((int) GATE.getAcquire(this) & ~SHUT) != 0; i++) {
            pause(i);
        }
    }

    /** Whoever is waited for is inside a copy, and may have lost its processor there. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause(int turn) {
        if (turn < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
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
