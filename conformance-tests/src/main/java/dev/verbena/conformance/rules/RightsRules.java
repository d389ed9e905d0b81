// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertStatuses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Pd;
import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.Set;

/** The rules of rule area MEM about access rights and protection domains. */
public interface RightsRules extends RuleSet {
    private static void assertWriteRefused(Pair.Ends ends, long address, int rkey) {
        byte[] before = ends.responder().memory().contents();
        End requester = ends.requester();
        requester.send(Send.write(1, address, rkey).from(requester.sge(0, 64)));
        assertStatuses(requester.sends(), WorkCompletionStatus.REM_ACCESS_ERR);
        ends.responder().memory().assertHolds(before);
    }

    @Rule(
            id = "MEM-06",
            text = "A queue pair without REMOTE_WRITE refuses RDMA WRITEs, even to a region that grants REMOTE_WRITE.",
            source = "ibv_modify_qp(3) (qp_access_flags); IBTA volume 1, section 9.7.4.1.5",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether the responder checks the access rights of the queue pair, not only of the memory region"
            })
    default void aQueuePairWithoutRemoteWriteRefusesWrites() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Connection.usual().withAccess(AccessFlag.REMOTE_READ));
            byte[] before = ends.responder().memory().contents();
            End requester = ends.requester();
            requester.send(Send.write(1, ends.responder().at(0)).from(requester.sge(0, 8)));
            assertRefusedByRights(requester);
            ends.responder().memory().assertHolds(before);
        }
    }

    /** Accepts REM_INV_REQ_ERR and REM_ACCESS_ERR, because the specification allows both statuses. */
    private static void assertRefusedByRights(End requester) {
        List<Completion> found = requester.sends().await(1);
        assertTrue(
                Set.of(WorkCompletionStatus.REM_INV_REQ_ERR, WorkCompletionStatus.REM_ACCESS_ERR)
                        .contains(found.getFirst().status()),
                () -> "neither an invalid request nor an access error: " + found);
    }

    @Rule(
            id = "MEM-07",
            text = "A queue pair without REMOTE_READ refuses RDMA READs, even of a region that grants REMOTE_READ.",
            source = "ibv_modify_qp(3) (qp_access_flags); IBTA volume 1, section 9.7.4.1.5",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.RDMA_READ},
            lookAt = {"whether the responder checks the access rights of the queue pair, not only of the memory region"
            })
    default void aQueuePairWithoutRemoteReadRefusesReads() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Connection.usual().withAccess(AccessFlag.REMOTE_WRITE));
            byte[] before = ends.requester().memory().contents();
            End requester = ends.requester();
            requester.send(Send.read(1, ends.responder().at(0)).from(requester.sge(0, 8)));
            assertRefusedByRights(requester);
            requester.memory().assertHolds(before);
        }
    }

    @Rule(
            id = "MEM-08",
            text = "A memory region grants no access through a queue pair of another protection domain.",
            source = "ibv_reg_mr(3); IBTA volume 1, section 10.6.3.1",
            lookAt = {"the comparison of the memory region's protection domain with that of the queue pair"})
    default void aRegionOfAnotherProtectionDomainGrantsNoAccess() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            Region foreign = Pd.open(pair.second())
                    .register(ends.responder().memory(), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            assertWriteRefused(ends, foreign.address(), foreign.rkey());
        }
    }

    @Rule(
            id = "MEM-09",
            text = "A key that differs from a valid key in a single bit grants no access.",
            source = "IBTA volume 1, section 10.6.3",
            lookAt = {"whether the lookup of a key compares all 32 bits, not only the index"})
    default void aKeyWithAnInvertedBitGrantsNoAccess(@IntRange(max = 31) int bit) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            Region region = ends.responder().region();
            assertWriteRefused(ends, region.address(), region.rkey() ^ 1 << bit);
        }
    }

    @Rule(
            id = "MEM-10",
            text = "An RDMA WRITE or READ of length 0 succeeds with any address and key.",
            source = "IBTA volume 1, section 9.7.4.1.6; ibv_post_send(3)",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"whether the test for the length 0 precedes the checks of the key and of the range"})
    default void anEmptyWriteOrReadNeedsNoValidKey(long address, int rkey) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            byte[] before = ends.responder().memory().contents();
            ends.requester().send(Send.write(1, address, rkey), Send.read(2, address, rkey));
            ends.requester().sends().awaitIds(1L, 2L);
            ends.responder().memory().assertHolds(before);
        }
    }
}
