// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Contains a reader count, and a copy of the bounds and rights of a memory region or window. Each region or window has
 * one access point for requesters and one for responders. The reader count, bounds and rights are in one cache line, so
 * that a program with many regions has fewer cache misses. The two access points of a region or window have equal
 * bounds and rights.
 */
final class AccessPoint extends ReaderCount {
    private final ProtectionEntry memory;
    /** Whether every queue pair of the protection domain may use the memory. */
    private final boolean admitsAll;

    // A writer sets the following fields only after it has stopped new readers and the reader count is zero (invariant
    // "Close, drain, change"). A reader reads the following fields only between enter and leave.
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
     * Returns whether a key is the key of this memory region or window. Before {@link #enter}, the key may change at
     * any time. After {@code enter}, the caller must therefore call {@link #allows}, which checks the key again.
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
        // The comparison of offsets is unsigned, so an address below the start has a huge offset and is out of bounds.
        // The code subtracts instead of adding, so that no sum can overflow.
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
