package dev.verbena.sim.memory;

import dev.verbena.verbs.AccessFlag;
import java.lang.foreign.MemorySegment;

/** A registration of any kind, with its key for both local and remote use: rxe_mr. May be used from several threads. */
public abstract sealed class RegisteredMemory extends KeyedMemory permits UserMemory, FastMemory, FmrMemory {
    private static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.mask();
    private static final int REMOTE_CHANGES = AccessFlag.REMOTE_WRITE.mask() | AccessFlag.REMOTE_ATOMIC.mask();

    private int windows;
    private boolean ended;

    RegisteredMemory(int key, Object domain) {
        super(key, domain, true);
    }

    /** Every queue pair of the domain may use a region. */
    @Override
    final boolean admits(MemoryUser user) {
        return true;
    }

    /** The rights that let a peer change memory need the one to change it locally: IBTA volume 1, 10.6.3.1. */
    static boolean isConsistent(int access) {
        return (access & REMOTE_CHANGES) == 0 || (access & LOCAL_WRITE) != 0;
    }

    /**
     * Counts the windows that are bound to it.
     *
     * @return how many
     */
    public final synchronized int windows() {
        return windows;
    }

    /**
     * Lets a window be bound to it, by the rules of IBTA volume 1, 10.6.7.2. From then on it cannot change.
     *
     * @return false if the rules forbid it
     */
    final synchronized boolean attach(int lkey, Object windowDomain, int windowAccess, long address, long bytes) {
        boolean fits = isValid()
                && key() == lkey
                && isSame(domain(), windowDomain)
                && (access() & AccessFlag.MW_BIND.mask()) != 0
                && (access() & AccessFlag.ZERO_BASED.mask()) == 0
                && ((windowAccess & REMOTE_CHANGES) == 0 || (access() & LOCAL_WRITE) != 0)
                && position(address, bytes) >= 0;
        if (fits) {
            windows++;
        }
        return fits;
    }

    /** A window is bound to it no more. */
    final synchronized void detach() {
        windows--;
    }

    /** Ends the registration; false if windows are bound to it, and then nothing happens. */
    final synchronized boolean end() {
        if (windows > 0) {
            return false;
        }
        ended = true;
        invalidate();
        forget();
        return true;
    }

    /**
     * Copies bytes out for the owner, whatever the key is.
     *
     * @param address the address of the first byte
     * @param target where to
     * @param offset where in the target
     * @param bytes how many
     * @return NONE, UNKNOWN if it does not cover them now, or VANISHED
     */
    public final KeyDefect read(long address, MemorySegment target, long offset, int bytes) {
        Gate gate = entrance(Half.SENDING);
        if (!gate.enter(null)) {
            return KeyDefect.UNKNOWN;
        }
        try {
            long at = position(address, bytes);
            if (at < 0) {
                return KeyDefect.UNKNOWN;
            }
            return pieces().copyTo(at, target, offset, bytes) ? KeyDefect.NONE : KeyDefect.VANISHED;
        } finally {
            gate.leave();
        }
    }

    /** Under the monitor: whether it was deregistered. */
    final boolean hasEnded() {
        return ended;
    }
}
