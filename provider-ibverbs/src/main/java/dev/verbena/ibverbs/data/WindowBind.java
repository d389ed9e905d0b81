// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.library.WindowCalls;
import dev.verbena.ibverbs.memory.NativeMr;
import dev.verbena.ibverbs.memory.NativeMw;
import dev.verbena.ibverbs.struct.IbvMw;
import dev.verbena.ibverbs.struct.IbvMwBind;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Binds type 1 memory windows (ibv_bind_mw(3)). */
public final class WindowBind {
    private static final String VERB = "ibv_bind_mw";

    private WindowBind() {}

    public static void post(
            NativeHandle qp,
            ProtectionDomain domain,
            WindowCalls calls,
            MemoryWindow given,
            MemoryWindowBinding binding,
            long workRequestId)
            throws VerbsException {
        Device device = domain.device();
        device.require(Capability.MW_TYPE_1, VERB);
        NativeMw window = Refusals.own(NativeMw.class, given, VERB, device);
        NativeMr region = Refusals.own(NativeMr.class, binding.region(), VERB, device);
        if (window.type() != MemoryWindowType.TYPE_1
                || !window.protectionDomain().equals(domain)
                || !region.protectionDomain().equals(domain)
                || !region.access().contains(AccessFlag.MW_BIND)) {
            throw Refusals.invalid(
                    VERB,
                    "binding " + window + " (" + window.type() + ") to " + region + " with " + region.access()
                            + "; the window must be type 1, the region needs MW_BIND, and both need the QP's domain");
        }
        MemorySegment qpPointer = qp.enter();
        try {
            MemorySegment mw = window.handle().enter();
            try {
                region.handle().enter();
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment raw = arena.allocate(IbvMwBind.LAYOUT);
                    raw.set(JAVA_LONG, IbvMwBind.WR_ID, workRequestId);
                    raw.set(JAVA_INT, IbvMwBind.SEND_FLAGS, SendFlag.SIGNALED.mask());
                    region.writeBinding(raw, IbvMwBind.BIND_INFO, binding);
                    Outcome.check(
                            VERB,
                            "binding " + window + " on " + qp,
                            "the queue pair must accept sends, and the range must be within the region",
                            callState -> calls.bindMw(callState, qpPointer, mw, raw));
                    window.recordKey(mw.get(JAVA_INT, IbvMw.RKEY));
                } finally {
                    region.handle().exit();
                }
            } finally {
                window.handle().exit();
            }
        } finally {
            qp.exit();
        }
    }
}
