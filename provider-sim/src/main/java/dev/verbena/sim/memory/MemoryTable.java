// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import dev.verbena.verbs.MemoryWindowType;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The memory regions and memory windows of a device, by L_Key or R_Key. An L_Key or R_Key consists of an index and a low
 * byte (key portion). A freed index is not reused soon. The key of a new memory region or memory window has a random low
 * byte. If a work request replaces an L_Key or R_Key, the application chooses the new low byte (key portion). Memory
 * regions and memory windows have separate ranges of indexes. Thread-safe.
 */
public final class MemoryTable {
    /** The number of bits in the low byte (key portion) of an L_Key or R_Key; the higher bits are the index. */
    static final int KEY_BITS = 8;

    private static final int LAST_REGION = 524_287;
    private static final int FIRST_WINDOW = 524_289;
    private static final int LAST_WINDOW = 1_048_576;

    private final IndexTable<RegisteredMemory> regions;
    private final IndexTable<RegisteredWindow> windows;
    private final RandomGenerator random;
    private final boolean windowsByNumber;

    /**
     * Creates an empty table. If {@code windowsByNumber} is true, a type 2 memory window is associated with a QPN (type
     * 2A). If {@code windowsByNumber} is false, a type 2 memory window is associated with the queue pair itself (type 2B).
     * The generator {@code random} supplies the low byte of each new L_Key or R_Key.
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
     * memory is in progress. Returns false, without an effect, if memory windows are bound to the memory region.
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
     * Executes BIND_MW. The memory window begins at a virtual address of the region. A bind with length 0 unbinds a type 1
     * memory window. If the specification forbids this bind of the memory window, returns false and changes nothing.
     */
    public boolean bind(MemoryUser user, int windowKey, int newKey, int lkey, long address, long bytes, int access) {
        RegisteredWindow window = windows.get(windowKey >>> KEY_BITS);
        return window != null && window.bind(user, windowKey, newKey, region(lkey), lkey, address, bytes, access);
    }

    /**
     * Executes REG_MR. Only the index of {@code regionKey} selects the memory region, so {@code regionKey} may be a former
     * key. Returns false, without an effect, if the specification forbids this REG_MR.
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
     * Copies the registered bytes at an address to a target, for an inline send. The L_Key only selects the memory region;
     * this method checks no rights and no protection domain. Returns UNKNOWN if no memory region has this L_Key and
     * contains the bytes, or VANISHED if the memory has been freed.
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
