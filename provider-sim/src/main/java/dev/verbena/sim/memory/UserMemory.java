// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/** A memory region that is registered and deregistered by verbs calls such as {@code ibv_reg_mr}, not by work requests. */
public final class UserMemory extends RegisteredMemory {
    UserMemory(int key, Object domain, MemoryPieces memory, long start, int access) {
        super(key, domain);
        validate(key, domain, access, memory, 0, memory.length(), start);
    }

    /**
     * Changes the region's protection domain, memory and access rights in one step. Each access to the region sees the old
     * protection domain, memory and access rights, or the new ones, but no mixture. After the change, no access to the
     * former memory of the region is in progress. The key stays the same. Returns false without a change if the region has
     * bound windows or was deregistered.
     */
    public synchronized boolean change(Object domain, MemoryPieces memory, long start, int access) {
        if (windows() > 0 || hasEnded()) {
            return false;
        }
        hold();
        validate(key(), domain, access, memory, 0, memory.length(), start);
        return true;
    }
}
