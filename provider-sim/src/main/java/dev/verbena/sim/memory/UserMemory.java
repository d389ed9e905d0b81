package dev.verbena.sim.memory;

/** A registration that a call made and a call ends: {@code ibv_reg_mr}. */
public final class UserMemory extends RegisteredMemory {
    UserMemory(int key, Object domain, MemoryPieces memory, long start, int access) {
        super(key, domain);
        validate(key, domain, access, memory, 0, memory.length(), start);
    }

    /**
     * Changes everything at once; a use sees all of the old or all of the new. When this returns nobody touches the old
     * memory. The key stays.
     *
     * @param domain the domain from now on
     * @param memory the bytes
     * @param start the address of the first one
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}
     * @return false if windows are bound to it or it has ended, and then nothing happens
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
