// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertStatuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.WorkCompletionStatus;

/** The rules about FLUSH and ATOMIC_WRITE (annex A19), in the rule areas PLACE, MEM and ATOMIC. */
public interface PlacementExtensionRules extends RuleSet {
    private static Pair.Ends flushable(Pair pair, AccessFlag... ofRegion) {
        return pair.connected(
                Shape.usual(),
                Shape.usual().withAccess(ofRegion),
                Connection.usual()
                        .withAccess(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.FLUSH_GLOBAL));
    }

    private static Send flush(long id, Region region, long offset, long length, FlushTarget target) {
        return Send.flush(id, region.at(offset), new Send.Flush(length, target, FlushPlacement.GLOBAL));
    }

    @Rule(
            id = "PLACE-09",
            text = "When a FLUSH completes, all bytes that earlier RDMA WRITEs wrote to the flushed range or memory"
                    + " region are in place.",
            source = "IBTA volume 1, annex A19.3; ibv_wr_flush(3)",
            needs = {Capability.RC, Capability.FLUSH},
            lookAt = {"whether a FLUSH is answered before all written bytes have reached memory"})
    default void aFlushCompletesAfterEarlierWritesAreInPlace(
            @IntRange(min = 1, max = 4) int writes, @IntRange(min = 1, max = 1024) int length, FlushTarget target) {
        try (Pair pair = pair()) {
            Pair.Ends ends = flushable(pair, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.FLUSH_GLOBAL);
            End requester = ends.requester();
            byte[] expected = ends.responder().memory().contents();
            for (int i = 0; i < writes; i++) {
                byte[] bytes = requester.memory().fill(i * 1024L, length, i + 1);
                expected = Memory.patched(expected, i * 1024L, bytes);
                requester.send(Send.write(i, ends.responder().at(i * 1024L))
                        .from(requester.sge(i * 1024L, length))
                        .unsignaled());
            }
            requester.send(flush(9, ends.responder().region(), 0, 4096, target));
            requester.sends().awaitIds(9L);
            assertArrayEquals(expected, ends.responder().memory().contents(), "responder's memory after the FLUSH");
        }
    }

    @Rule(
            id = "MEM-28",
            text = "A FLUSH completes with REM_ACCESS_ERR if the memory region lacks FLUSH_GLOBAL, or if a single byte"
                    + " of the range is outside of the memory region.",
            source = "IBTA volume 1, annex A19.4.2; ibv_reg_mr(3) (IBV_ACCESS_FLUSH_GLOBAL)",
            needs = {Capability.RC, Capability.FLUSH},
            lookAt = {"whether the responder checks the access rights and the range of a FLUSH"})
    default void aFlushNeedsFlushAccessAndRange() {
        for (boolean granted : new boolean[] {false, true}) {
            try (Pair pair = pair()) {
                Pair.Ends ends = granted
                        ? flushable(pair, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.FLUSH_GLOBAL)
                        : flushable(pair, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
                Region region = ends.responder().region();
                ends.requester().send(flush(1, region, 0, granted ? region.length() + 1 : 8, FlushTarget.RANGE));
                assertStatuses(ends.requester().sends(), WorkCompletionStatus.REM_ACCESS_ERR);
            }
        }
    }

    @Rule(
            id = "ATOMIC-09",
            text = "An ATOMIC_WRITE stores its eight bytes without a change of byte order, and no other byte changes.",
            source = "IBTA volume 1, annex A19.4.3; ibv_wr_atomic_write(3)",
            needs = {Capability.RC, Capability.ATOMIC_WRITE},
            lookAt = {"whether the payload of an ATOMIC_WRITE is converted to another byte order"})
    default void anAtomicWriteKeepsTheByteOrder(@IntRange(max = 511) int place, int pattern) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            byte[] bytes = ends.requester().memory().fill(16, 8, pattern);
            byte[] expected = Memory.patched(ends.responder().memory().contents(), place * 8L, bytes);
            ends.requester()
                    .send(Send.atomicWrite(1, ends.responder().at(place * 8L))
                            .from(ends.requester().sge(16, 8)));
            ends.requester().sends().awaitIds(1L);
            assertArrayEquals(expected, ends.responder().memory().contents(), "memory behind the ATOMIC_WRITE");
        }
    }

    @Rule(
            id = "ATOMIC-10",
            text = "An ATOMIC_WRITE to an address that is no multiple of 8 is refused or fails, and changes nothing.",
            source = "IBTA volume 1, annex A19.4.3; ibv_wr_atomic_write(3)",
            needs = {Capability.RC, Capability.ATOMIC_WRITE},
            lookAt = {"the check of the alignment of the remote address"})
    default void anAtomicWriteNeedsAnAlignedAddress(@IntRange(min = 1, max = 7) int misaligned) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            ends.requester().memory().fill(16, 8, 1);
            byte[] before = ends.responder().memory().contents();
            Send send = Send.atomicWrite(1, ends.responder().at(misaligned))
                    .from(ends.requester().sge(16, 8));
            if (ends.requester().qp().post(send).taken() == 1) {
                assertFalse(
                        ends.requester().sends().await(1).getFirst().status().isSuccess(),
                        "success of an ATOMIC_WRITE to unaligned bytes");
            }
            ends.responder().memory().assertHolds(before);
        }
    }
}
