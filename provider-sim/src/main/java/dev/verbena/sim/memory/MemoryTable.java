package dev.verbena.sim.memory;

import dev.verbena.verbs.AccessFlag;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of a device by key. A key is an index that is not used again soon, and a random low byte, so that a
 * stale key finds nothing.
 */
public final class MemoryTable {
    private static final int MAX_INDEX = 524_287;
    private static final int KEY_BITS = 8;

    private final IndexTable<RegisteredMemory> table;
    private final RandomGenerator random;

    /**
     * Makes an empty table.
     *
     * @param limit how many registrations at once
     * @param random where the low bytes of keys come from
     */
    public MemoryTable(int limit, RandomGenerator random) {
        table = new IndexTable<>(1, MAX_INDEX, limit);
        this.random = random;
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
    public @Nullable RegisteredMemory register(Object domain, MemorySegment memory, long start, int access) {
        return table.add(index -> new RegisteredMemory(
                (index << KEY_BITS) | random.nextInt(1 << KEY_BITS), domain, memory, start, access));
    }

    /**
     * Ends a registration; when this returns nobody touches the memory.
     *
     * @param memory the registration
     */
    public void deregister(RegisteredMemory memory) {
        table.remove(memory.key() >>> KEY_BITS);
        memory.invalidate();
    }

    /**
     * Looks a key up for one use.
     *
     * @param key the local or remote key
     * @param domain the protection domain of the queue pair
     * @param access a mask of {@link AccessFlag} that the use needs
     * @return the registration, pinned, or null if the key does not grant this
     */
    public @Nullable RegisteredMemory acquire(int key, Object domain, int access) {
        RegisteredMemory memory = table.get(key >>> KEY_BITS);
        return memory != null && memory.allows(key, domain, access) && memory.pin() ? memory : null;
    }
}
