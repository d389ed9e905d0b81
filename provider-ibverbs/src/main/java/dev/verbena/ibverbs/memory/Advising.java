// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.library.PortCalls;
import dev.verbena.ibverbs.struct.IbvSge;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MrAdvice;
import dev.verbena.verbs.MrRange;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Calls the context's {@code advise_mr}, like the inline function {@code ibv_advise_mr} of the C header. */
public final class Advising {
    public static final String VERB = "ibv_advise_mr";

    /** {@code IBV_ADVISE_MR_FLAG_FLUSH}. */
    private static final int FLUSH = 1;

    private Advising() {}

    /** Calls {@code ibv_advise_mr} on a protection domain. No thread destroys the protection domain during the call. */
    public static void advise(
            PortCalls calls, NativeHandle domain, MrAdvice advice, boolean flush, List<MrRange> ranges)
            throws VerbsException {
        MemorySegment pd = domain.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = CallState.allocate(arena);
            int answer = calls.adviseMr(
                    callState, pd, advice.code(), flush ? FLUSH : 0, entries(ranges, arena), ranges.size());
            if (answer != 0) {
                throw refusal(Outcome.number(answer, callState), advice + " of " + ranges);
            }
        } catch (UnsupportedOperationException olderLibrary) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    VERB,
                    "this context has no advise_mr; continue without the advice, which is only an optimization");
        } finally {
            domain.exit();
        }
    }

    private static MemorySegment entries(List<MrRange> ranges, Arena arena) {
        long size = IbvSge.LAYOUT.byteSize();
        MemorySegment entries = arena.allocate(IbvSge.LAYOUT, Math.max(1, ranges.size()));
        for (int i = 0; i < ranges.size(); i++) {
            MrRange range = ranges.get(i);
            entries.set(JAVA_LONG, i * size + IbvSge.ADDR, range.address());
            entries.set(JAVA_INT, i * size + IbvSge.LENGTH, (int) range.length());
            entries.set(JAVA_INT, i * size + IbvSge.LKEY, range.lkey());
        }
        return entries;
    }

    private static VerbsException refusal(int number, String asked) {
        String cure =
                "each range must be mapped, and in an on-demand region of this domain whose rights allow the advice";
        return number == Errno.EPERM.number()
                ? new VerbsException(Errno.EPERM, VERB, asked + " failed; " + cure)
                : Outcome.refusal(number, VERB, asked, cure);
    }
}
