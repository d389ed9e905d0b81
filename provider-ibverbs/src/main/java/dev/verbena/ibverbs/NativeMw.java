package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.struct.IbvMw;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/** A memory window of the library. */
final class NativeMw implements MemoryWindow {
    private final NativePd domain;
    private final MemoryWindowType type;
    private final NativeHandle handle;
    private volatile int rkey;

    NativeMw(NativePd domain, MemoryWindowType type, MemorySegment mw, int rkey) {
        this.domain = domain;
        this.type = type;
        this.rkey = rkey;
        handle = new NativeHandle("memory window 0x" + Integer.toHexString(rkey), mw);
    }

    @Override
    public NativePd protectionDomain() {
        return domain;
    }

    @Override
    public MemoryWindowType type() {
        return type;
    }

    @Override
    public int rkey() {
        return rkey;
    }

    /**
     * A posted bind changes the R_Key of the window. For type 2 the poster must record the new key: drivers read the key that the next
     * bind changes from the structure. Called while the handle is held.
     */
    void hasKey(int key) {
        handle.pointer().set(JAVA_INT, IbvMw.RKEY, key);
        rkey = key;
    }

    NativeHandle handle() {
        return handle;
    }

    @Override
    public void close() throws VerbsException {
        NativeDevice device = domain.device();
        boolean closedNow = handle.close(mw -> Outcome.destroy(
                "ibv_dealloc_mw",
                "closing " + this,
                "unbind it",
                callState -> device.windows().deallocMw(callState, mw)));
        if (closedNow) {
            domain.remove(this);
        }
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
