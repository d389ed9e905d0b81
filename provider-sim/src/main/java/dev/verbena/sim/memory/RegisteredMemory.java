package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A range of memory with its keys and rights: rxe_mr. Every use is bracketed by {@link #pin()} and {@link #unpin()}, so that
 * {@link #invalidate()} can promise that nobody touches the memory afterwards.
 */
public final class RegisteredMemory {
    private static final VarHandle USERS;
    private static final int INVALID = 1 << 30;

    static {
        try {
            USERS = MethodHandles.lookup().findVarHandle(RegisteredMemory.class, "users", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final int key;
    private final Object domain;
    private final MemorySegment memory;
    private final long start;
    private final int access;
    /** Uses in progress, and a bit that forbids new ones; reached through {@link #USERS} only. */
    @SuppressWarnings("UnusedVariable")
    private int users;

    RegisteredMemory(int key, Object domain, MemorySegment memory, long start, int access) {
        this.key = key;
        this.domain = domain;
        this.memory = memory;
        this.start = start;
        this.access = access;
    }

    /**
     * Returns the key, which is both lkey and rkey.
     *
     * @return 32 bits
     */
    public int key() {
        return key;
    }

    /**
     * Returns the address of the first byte.
     *
     * @return the iova
     */
    public long start() {
        return start;
    }

    /**
     * Returns the size.
     *
     * @return bytes
     */
    public long length() {
        return memory.byteSize();
    }

    /**
     * Returns the bytes.
     *
     * @return memory to be touched only while pinned
     */
    public MemorySegment memory() {
        return memory;
    }

    /** Domains are the same only if they are one object. */
    @SuppressWarnings("ReferenceEquality")
    boolean allows(int wantedKey, Object wantedDomain, int wantedAccess) {
        return key == wantedKey && domain == wantedDomain && (access & wantedAccess) == wantedAccess;
    }

    /**
     * Translates an address.
     *
     * @param address the iova of the first byte wanted
     * @param bytes how many bytes are wanted
     * @return the offset in {@link #memory()}, or -1 if not all of them are inside
     */
    public long offset(long address, long bytes) {
        long offset = address - start;
        // Unsigned, so that an address below the start is a huge offset and no sum can overflow.
        return Long.compareUnsigned(offset, length()) <= 0 && bytes <= length() - offset ? offset : -1;
    }

    /**
     * Begins a use.
     *
     * @return false if the registration has ended; then the memory must not be touched
     */
    public boolean pin() {
        if (((int) USERS.getAndAdd(this, 1) & INVALID) != 0) {
            unpin();
            return false;
        }
        return true;
    }

    /** Ends a use that {@link MemoryTable} began. */
    public void unpin() {
        USERS.getAndAdd(this, -1);
    }

    /** Ends the registration and waits until the copies that have begun are done, which is a matter of one packet. */
    void invalidate() {
        USERS.getAndBitwiseOr(this, INVALID);
        while (((int) USERS.getAcquire(this) & ~INVALID) != 0) {
            Thread.onSpinWait();
        }
    }
}
