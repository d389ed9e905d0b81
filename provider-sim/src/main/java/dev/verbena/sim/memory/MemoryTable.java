// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import dev.verbena.verbs.MemoryWindowType;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory and the windows of a device, by key. A key consists of an index and a low byte. A freed index is
 * not reused soon. The key of a new region or window has a random low byte. If a work request replaces a key, the
 * application chooses the new low byte. Regions and windows have separate ranges of indexes. Thread-safe.
 */
public final class MemoryTable {
    /** The number of bits in the low byte of a memory key; the higher bits are the key's index. */
    static final int KEY_BITS = 8;

    private static final int LAST_REGION = 524_287;
    private static final int FIRST_WINDOW = 524_289;
    private static final int LAST_WINDOW = 1_048_576;

    private final IndexTable<RegisteredMemory> regions;
    private final IndexTable<RegisteredWindow> windows;
    private final RandomGenerator random;
    private final boolean windowsByNumber;

    /**
     * Creates an empty table. If {@code windowsByNumber} is true, a window of type 2 is associated with the number of a
     * queue pair (type 2A). If {@code windowsByNumber} is false, the window is associated with the queue pair itself
     * (type 2B). The low bytes of new keys come from a random number generator.
     */
    public MemoryTable(int maxRegions, int maxWindows, boolean windowsByNumber, RandomGenerator random) {
        regions = new IndexTable<>(1, LAST_REGION, maxRegions);
        windows = new IndexTable<>(FIRST_WINDOW, LAST_WINDOW, maxWindows);
        this.windowsByNumber = windowsByNumber;
        this.random = random;
    }

    private int newKey(int index) {
        return (index << KEY_BITS) | random.nextInt(1 << KEY_BITS);
    }

    /** Registers memory whose first byte has a given virtual address. Returns null if the table is full. */
    public @Nullable UserMemory register(Object domain, MemoryPieces memory, long start, int access) {
        return (UserMemory) regions.add(index -> new UserMemory(newKey(index), domain, memory, start, access));
    }

    public @Nullable FastMemory allocateFast(Object domain) {
        return (FastMemory) regions.add(index -> new FastMemory(newKey(index), domain));
    }

    /**
     * Creates an FMR that maps no memory yet. The given access rights apply to all memory that the FMR later maps.
     * Returns null if the table is full.
     */
    public @Nullable FmrMemory allocateFmr(Object domain, int access) {
        return (FmrMemory) regions.add(index -> new FmrMemory(newKey(index), domain, access));
    }

    public @Nullable RegisteredWindow allocateWindow(Object domain, MemoryWindowType type) {
        return windows.add(index -> new RegisteredWindow(newKey(index), domain, type, windowsByNumber));
    }

    /**
     * Deregisters memory. <b>No access after the end</b>: after a call of {@code deregister}, no access to the deregistered
     * memory is in progress. Returns false, without an effect, if windows are bound to the registration.
     */
    public boolean deregister(RegisteredMemory memory) {
        if (!memory.end()) {
            return false;
        }
        regions.remove(memory.key() >>> KEY_BITS);
        return true;
    }

    /** Deallocates a memory window, bound or not, after all accesses through the memory window have ended. */
    public void deallocate(RegisteredWindow window) {
        windows.remove(window.key() >>> KEY_BITS);
        window.end();
    }

    /**
     * Executes BIND_MW. The memory window begins at a virtual address of the region. A bind with length 0 unbinds a
     * window of type 1. If the specification forbids this bind of the window, returns false and changes nothing.
     */
    public boolean bind(MemoryUser user, int windowKey, int newKey, int lkey, long address, long bytes, int access) {
        RegisteredWindow window = windows.get(windowKey >>> KEY_BITS);
        return window != null && window.bind(user, windowKey, newKey, region(lkey), lkey, address, bytes, access);
    }

    /**
     * Executes REG_MR. The caller may name the region by the region's present key or a former key. Returns false, without an
     * effect, if the specification forbids the registration.
     */
    public boolean fastRegister(MemoryUser user, int regionKey, int newKey, int access) {
        return region(regionKey) instanceof FastMemory fast && fast.register(user, newKey, access);
    }

    /**
     * Invalidates a key, for LOCAL_INV or a peer's SEND with invalidate. After the invalidation, no memory access that uses
     * the key is in progress. Returns false, without an effect, if the specification forbids the invalidation.
     */
    public boolean invalidate(MemoryUser user, int key, boolean byPeer) {
        RegisteredWindow window = windows.get(key >>> KEY_BITS);
        if (window != null) {
            return window.invalidate(user, key, byPeer);
        }
        return region(key) instanceof FastMemory fast && fast.invalidate(user, key, byPeer);
    }

    /** Returns the first reason why a key does not permit an access at this moment. */
    public KeyDefect defect(MemoryUser user, boolean remote, int key, int access, long address, long bytes) {
        ProtectionEntry found = remote ? find(key) : region(key);
        return found == null ? KeyDefect.UNKNOWN : found.defect(key, user, access, address, bytes);
    }

    /**
     * Copies the registered bytes at an address to a target, for an inline send. The local key only selects the region;
     * this method checks no rights and no protection domain. Returns UNKNOWN if no region has the key and covers the
     * bytes, or VANISHED if the memory has been freed.
     */
    public KeyDefect read(int lkey, long address, MemorySegment target, long offset, int bytes) {
        RegisteredMemory region = region(lkey);
        return region == null || region.key() != lkey ? KeyDefect.UNKNOWN : region.read(address, target, offset, bytes);
    }

    @Nullable RegisteredMemory region(int key) {
        return regions.get(key >>> KEY_BITS);
    }

    @Nullable ProtectionEntry find(int key) {
        int index = key >>> KEY_BITS;
        return index < FIRST_WINDOW ? regions.get(index) : windows.get(index);
    }
}
