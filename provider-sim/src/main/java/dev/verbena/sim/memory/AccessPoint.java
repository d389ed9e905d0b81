// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The access point to a keyed memory region for requesters or for responders: a reader count and, in the same cache line, the
 * region's bounds and rights. Because reader count, bounds and rights are in one cache line, a program with many memory regions
 * has fewer cache misses. The region's access points for requesters and responders have equal bounds and rights.
 */
final class AccessPoint extends ReaderCount {
    private final ProtectionEntry memory;
    /** Whether every queue pair of the protection domain may use the memory. */
    private final boolean admitsAll;

    // Close, drain, change: a writer sets the following fields only after it has stopped new readers and the reader
    // count is zero. A reader reads the following fields only between enter and leave.
    private int key;
    private int access;
    private long start;
    private long length;
    private long base;
    private Object domain;
    private MemoryPieces pieces = MemoryPieces.NONE;
    private @Nullable MemorySegment only;

    AccessPoint(ProtectionEntry memory, boolean admitsAll, int key, Object domain) {
        this.memory = memory;
        this.admitsAll = admitsAll;
        this.key = key;
        this.domain = domain;
    }

    void set(int newKey, Object newDomain, int newAccess, MemoryPieces to, long from, long size, long at) {
        key = newKey;
        domain = newDomain;
        access = newAccess;
        pieces = to;
        only = to.only();
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

    /**
     * Returns whether a key is the key of this memory region or window. A caller that has not called {@link #enter} must check
     * the key again by {@link #allows} after {@code enter}.
     */
    boolean isFor(int wantedKey) {
        return key == wantedKey;
    }

    /** Returns whether the key grants the rights to the queue pair. Call only between {@link #enter} and {@link #leave}. */
    boolean allows(int wantedKey, Object userDomain, MemoryUser user, int wantedAccess) {
        return key == wantedKey
                && ProtectionEntry.isSame(domain, userDomain)
                && (access & wantedAccess) == wantedAccess
                && (admitsAll || memory.admits(user));
    }

    /**
     * Returns the position of an address in {@link #pieces()}, or -1 if some of the bytes are out of bounds. Call only between
     * {@link #enter} and {@link #leave}.
     */
    long position(long address, long bytes) {
        long offset = address - start;
        // The comparison of offsets is unsigned, so that an address below the start is a huge offset and no sum can
        // overflow.
        return Long.compareUnsigned(offset, length) <= 0 && bytes >= 0 && bytes <= length - offset ? base + offset : -1;
    }

    MemoryPieces pieces() {
        return pieces;
    }

    /** Returns the memory if it is one segment, otherwise null. Call only between {@link #enter} and {@link #leave}. */
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
