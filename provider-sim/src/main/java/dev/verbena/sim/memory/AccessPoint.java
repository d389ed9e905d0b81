// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Contains the count of accesses in progress (reader count), and a copy of the bounds and access rights of a memory region
 * or window. Each region or window has one {@code AccessPoint} for requesters and one for responders, with equal bounds and
 * rights. The reader count, bounds and rights are in one cache line, so that an application with many memory regions has
 * fewer cache misses.
 */
final class AccessPoint extends ReaderCount {
    private final ProtectionEntry memory;
    /** Whether every queue pair of the protection domain may use the memory. */
    private final boolean admitsAll;

    // The bounds and access rights. A thread changes the bounds and access rights only while no access is in progress
    // and none can begin (invariant "Close, drain, change"). A thread that accesses the memory reads the bounds and
    // access rights only between `enter` and `leave`.
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
     * Returns whether a key is the key of this memory region or window. Until a thread has called {@link #enter}, the key
     * of the region may change at any time. After {@code enter}, the caller must call {@link #allows} to check the key
     * again.
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
     * Returns the offset of an address in {@link #pieces()}, or -1 if some of the bytes are out of bounds. Call only
     * between {@link #enter} and {@link #leave}.
     */
    long position(long address, long bytes) {
        long offset = address - start;
        // The comparison of offsets is unsigned, so an address below the start has a huge offset and is out of bounds.
        // `bytes <= length - offset` cannot overflow; `offset + bytes <= length` could.
        return Long.compareUnsigned(offset, length) <= 0 && bytes >= 0 && bytes <= length - offset ? base + offset : -1;
    }

    MemoryPieces pieces() {
        return pieces;
    }

    /**
     * Returns the registered memory if it is one {@link MemorySegment}, otherwise null. Call only between
     * {@link #enter} and {@link #leave}.
     */
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
