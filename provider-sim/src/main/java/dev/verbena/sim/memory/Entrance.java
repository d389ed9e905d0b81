package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where one half of the queue pairs enters memory behind a key: a gate, and in the same cache line what the key gives, so that with
 * much memory that is used in turn each use touches little. It is the same at both entrances.
 */
final class Entrance extends Gate {
    private final KeyedMemory memory;
    /** Whether every queue pair of the domain may use it. */
    private final boolean admitsAll;

    // Written while the gate is shut and nobody is inside; read inside.
    private int key;
    private int access;
    private long start;
    private long length;
    private long base;
    private Object domain;
    private MemoryPieces pieces = MemoryPieces.NONE;
    /** All of the memory, if it is one piece. */
    private @Nullable MemorySegment only;

    Entrance(KeyedMemory memory, boolean admitsAll, int key, Object domain) {
        this.memory = memory;
        this.admitsAll = admitsAll;
        this.key = key;
        this.domain = domain;
    }

    /** What the key gives from now on. */
    void set(int newKey, Object newDomain, int newAccess, MemoryPieces to, long from, long size, long at) {
        key = newKey;
        domain = newDomain;
        access = newAccess;
        pieces = to;
        only = to.only();
        guard(to.isGuarded());
        base = from;
        length = size;
        start = at;
    }

    void rekey(int newKey) {
        key = newKey;
    }

    void forget() {
        pieces = MemoryPieces.NONE;
        only = null;
        access = 0;
    }

    /** Whether this is perhaps the entrance for a key, for who is outside; to be asked again inside. */
    boolean isFor(int wantedKey) {
        return key == wantedKey;
    }

    /** To be asked inside: whether the key gives these rights to this queue pair. */
    boolean allows(int wantedKey, Object userDomain, MemoryUser user, int wantedAccess) {
        return key == wantedKey
                && KeyedMemory.isSame(domain, userDomain)
                && (access & wantedAccess) == wantedAccess
                && (admitsAll || memory.admits(user));
    }

    /** To be asked inside: the position of an address in {@link #pieces()}, or -1 if not all the bytes are in bounds. */
    long position(long address, long bytes) {
        long offset = address - start;
        // Unsigned, so that an address below the start is a huge offset and no sum can overflow.
        return Long.compareUnsigned(offset, length) <= 0 && bytes >= 0 && bytes <= length - offset ? base + offset : -1;
    }

    /** To be asked inside: the memory. */
    MemoryPieces pieces() {
        return pieces;
    }

    /** To be asked inside: all of the memory, or null unless it is one piece, which then is what a position counts in. */
    @Nullable MemorySegment only() {
        return only;
    }

    Object domain() {
        return domain;
    }

    int access() {
        return access;
    }
}
