package dev.verbena.sim.memory;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryWindowType;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of a device and its windows, by key. A key is an index that is not used again soon, and a low byte:
 * random at first, later of the consumer's choice. Regions and windows have ranges of indexes of their own. May be used from
 * several threads.
 */
public final class MemoryTable {
    /** How many bits of a key are not the index. */
    static final int KEY_BITS = 8;

    private static final int LAST_REGION = 524_287;
    private static final int FIRST_WINDOW = 524_289;
    private static final int LAST_WINDOW = 1_048_576;

    private final IndexTable<RegisteredMemory> regions;
    private final IndexTable<RegisteredWindow> windows;
    private final RandomGenerator random;
    private final boolean windowsByNumber;

    /**
     * Makes an empty table.
     *
     * @param maxRegions how many registrations at once
     * @param maxWindows how many windows at once
     * @param windowsByNumber whether windows of type 2 belong to the number of a queue pair (2A) instead of to itself (2B)
     * @param random where the low bytes of keys come from
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

    /**
     * Registers memory.
     *
     * @param domain the protection domain, compared by identity
     * @param memory the bytes
     * @param start the address of the first one
     * @param access a mask of {@link AccessFlag}
     * @return the registration, or null if there is no room
     */
    public @Nullable UserMemory register(Object domain, MemoryPieces memory, long start, int access) {
        return (UserMemory) regions.add(index -> new UserMemory(newKey(index), domain, memory, start, access));
    }

    /**
     * Makes a region for REG_MR, which covers nothing.
     *
     * @param domain the protection domain, compared by identity
     * @return the region, or null if there is no room
     */
    public @Nullable FastMemory allocateFast(Object domain) {
        return (FastMemory) regions.add(index -> new FastMemory(newKey(index), domain));
    }

    /**
     * Makes a region for mapping by calls, which covers nothing.
     *
     * @param domain the protection domain, compared by identity
     * @param access what each mapping grants, a mask of {@link AccessFlag}
     * @return the region, or null if there is no room
     */
    public @Nullable FmrMemory allocateFmr(Object domain, int access) {
        return (FmrMemory) regions.add(index -> new FmrMemory(newKey(index), domain, access));
    }

    /**
     * Makes a window, unbound.
     *
     * @param domain the protection domain, compared by identity
     * @param type the kind
     * @return the window, or null if there is no room
     */
    public @Nullable RegisteredWindow allocateWindow(Object domain, MemoryWindowType type) {
        return windows.add(index -> new RegisteredWindow(newKey(index), domain, type, windowsByNumber));
    }

    /**
     * Ends a registration; when this returns nobody touches the memory.
     *
     * @param memory the registration
     * @return false if windows are bound to it, and then nothing happens
     */
    public boolean deregister(RegisteredMemory memory) {
        if (!memory.end()) {
            return false;
        }
        regions.remove(memory.key() >>> KEY_BITS);
        return true;
    }

    /**
     * Ends a window, bound or not; when this returns nobody touches memory through it.
     *
     * @param window the window
     */
    public void deallocate(RegisteredWindow window) {
        windows.remove(window.key() >>> KEY_BITS);
        window.end();
    }

    /**
     * Carries out BIND_MW.
     *
     * @param user the queue pair
     * @param windowKey the key by which the request names the window
     * @param newKey the key it is to have
     * @param lkey the key of the region
     * @param address the first byte, as the region counts
     * @param bytes the size; 0 unbinds a window of type 1
     * @param access what it is to grant, a mask of {@link AccessFlag}
     * @return false if the rules forbid it, and then nothing happens
     */
    public boolean bind(MemoryUser user, int windowKey, int newKey, int lkey, long address, long bytes, int access) {
        RegisteredWindow window = windows.get(windowKey >>> KEY_BITS);
        return window != null && window.bind(user, windowKey, newKey, region(lkey), lkey, address, bytes, access);
    }

    /**
     * Carries out REG_MR.
     *
     * @param user the queue pair
     * @param regionKey a key by which the request names the region, present or former
     * @param newKey the key it is to have
     * @param access what it is to grant, a mask of {@link AccessFlag}
     * @return false if the rules forbid it, and then nothing happens
     */
    public boolean fastRegister(MemoryUser user, int regionKey, int newKey, int access) {
        return region(regionKey) instanceof FastMemory fast && fast.register(user, newKey, access);
    }

    /**
     * Carries out LOCAL_INV, or what a SEND with invalidate asks for. When this returns nobody touches memory by the key.
     *
     * @param user the queue pair
     * @param key the key of a fast registration or a window of type 2
     * @param byPeer whether the peer asks
     * @return false if the rules forbid it, and then nothing happens
     */
    public boolean invalidate(MemoryUser user, int key, boolean byPeer) {
        RegisteredWindow window = windows.get(key >>> KEY_BITS);
        if (window != null) {
            return window.invalidate(user, key, byPeer);
        }
        return region(key) instanceof FastMemory fast && fast.invalidate(user, key, byPeer);
    }

    /**
     * Tells why a key was refused.
     *
     * @param user the queue pair that presented it
     * @param remote whether on behalf of the peer
     * @param key the key
     * @param access what was needed, a mask of {@link AccessFlag}
     * @param address the first byte
     * @param bytes how many
     * @return the first of the reasons that there are at this moment
     */
    public KeyDefect defect(MemoryUser user, boolean remote, int key, int access, long address, long bytes) {
        KeyedMemory found = remote ? find(key) : region(key);
        return found == null ? KeyDefect.UNKNOWN : found.defect(key, user, access, address, bytes);
    }

    /**
     * Copies bytes out by a local key, for an inline send, without the checks of a queue pair's rights.
     *
     * @param lkey the key of a region
     * @param address the first byte, as the region counts
     * @param target where to
     * @param offset where in the target
     * @param bytes how many
     * @return NONE, UNKNOWN if no region has the key and covers the bytes, or VANISHED
     */
    public KeyDefect read(int lkey, long address, MemorySegment target, long offset, int bytes) {
        RegisteredMemory region = region(lkey);
        return region == null || region.key() != lkey ? KeyDefect.UNKNOWN : region.read(address, target, offset, bytes);
    }

    @Nullable RegisteredMemory region(int key) {
        return regions.get(key >>> KEY_BITS);
    }

    @Nullable KeyedMemory find(int key) {
        int index = key >>> KEY_BITS;
        return index < FIRST_WINDOW ? regions.get(index) : windows.get(index);
    }
}
