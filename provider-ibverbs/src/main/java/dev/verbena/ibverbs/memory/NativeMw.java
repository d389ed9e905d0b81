// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.library.WindowCalls;
import dev.verbena.ibverbs.struct.IbvMw;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/** A memory window of libibverbs. */
public final class NativeMw implements MemoryWindow {
    private final ProtectionDomain domain;
    private final Dependents siblings;
    private final WindowCalls calls;
    private final MemoryWindowType type;
    private final NativeHandle handle;
    private volatile int rkey;

    public NativeMw(
            ProtectionDomain domain,
            Dependents siblings,
            WindowCalls calls,
            MemoryWindowType type,
            MemorySegment mw,
            int rkey) {
        this.domain = domain;
        this.siblings = siblings;
        this.calls = calls;
        this.type = type;
        this.rkey = rkey;
        handle = new NativeHandle("memory window 0x" + Integer.toHexString(rkey), mw);
    }

    @Override
    public ProtectionDomain protectionDomain() {
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
     * Stores the window's new rkey in its {@code struct ibv_mw}. After posting a BIND_MW of a type 2 window, the caller
     * must pass the new rkey to {@code recordKey}. From the rkey in {@code struct ibv_mw}, user-space drivers compute the
     * rkey of the window's next bind. The caller must prevent the window's destruction during the call.
     */
    public void recordKey(int key) {
        handle.pointer().set(JAVA_INT, IbvMw.RKEY, key);
        rkey = key;
    }

    public NativeHandle handle() {
        return handle;
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = handle.close(mw -> Outcome.destroy(
                "ibv_dealloc_mw", "closing " + this, "unbind it", callState -> calls.deallocMw(callState, mw)));
        if (closedNow) {
            siblings.remove(this);
        }
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
