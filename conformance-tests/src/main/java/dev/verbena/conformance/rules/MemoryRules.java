// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static dev.verbena.conformance.rules.Checks.assertStatuses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.conformance.arbitraries.From;
import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Pd;
import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Optional;
import java.util.Set;

/** The rules of rule area MEM about the memory that a peer can access. */
public interface MemoryRules extends RuleSet {
    @Rule(
            id = "MEM-01",
            text = "If a single byte of an RDMA WRITE is outside of the memory region, the RDMA WRITE completes with"
                    + " REM_ACCESS_ERR. The queue pair of the requester is in ERR, and no byte is written.",
            source = "ibv_post_send(3); IBTA volume 1, sections 9.7.4.1.6 and 10.6",
            lookAt = {
                "whether the responder checks the range in the RETH before it copies a byte",
                "whether the sum of the address and the length overflows"
            })
    default void aWriteBeyondItsRegionWritesNothing(@From(Trespass.Any.class) Trespass range) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withBytes(Trespass.REGION));
            Region region = ends.responder().region();
            assertWriteRefused(ends, region.address() + range.from(), region.rkey(), range.length());
        }
    }

    private static void assertWriteRefused(Pair.Ends ends, long address, int rkey, int length) {
        byte[] before = ends.responder().memory().contents();
        ends.requester().memory().fill(0, length, 1);
        ends.requester().send(Send.write(1, address, rkey).from(ends.requester().sge(0, length)));
        assertStatuses(ends.requester().sends(), WorkCompletionStatus.REM_ACCESS_ERR);
        ends.requester().qp().assertState(QpState.ERR);
        ends.responder().memory().assertHolds(before);
    }

    private static void assertWriteRefused(Pair.Ends ends, Region region) {
        assertWriteRefused(ends, region.address(), region.rkey(), 64);
    }

    private static void assertReadRefused(Pair.Ends ends, long address, int rkey, int length) {
        byte[] before = ends.requester().memory().contents();
        ends.requester().send(Send.read(1, address, rkey).from(ends.requester().sge(0, length)));
        assertStatuses(ends.requester().sends(), WorkCompletionStatus.REM_ACCESS_ERR);
        ends.requester().memory().assertHolds(before);
    }

    @Rule(
            id = "MEM-02",
            text = "An RDMA WRITE to a region without REMOTE_WRITE completes with REM_ACCESS_ERR, and writes no byte.",
            source = "ibv_reg_mr(3); IBTA volume 1, section 10.6",
            lookAt = {"whether the responder checks the access rights of the memory region, not only of the queue pair"
            })
    default void aWriteWithoutRemoteWriteAccessWritesNothing() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withAccess(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ));
            assertWriteRefused(ends, ends.responder().region());
        }
    }

    @Rule(
            id = "MEM-03",
            text = "The key of a closed memory region grants no access, even if another region covers the same memory.",
            source = "ibv_dereg_mr(3); IBTA volume 1, section 10.6",
            lookAt = {"whether the lookup of a key finds only open memory regions whose keys match in all 32 bits"})
    default void theKeyOfAClosedRegionGrantsNoAccess() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End responder = ends.responder();
            Region closed =
                    responder.pd().register(responder.memory(), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            closed.close();
            assertWriteRefused(ends, closed);
        }
    }

    @Rule(
            id = "MEM-04",
            text = "If a single byte of an RDMA READ is outside of the memory region, the RDMA READ completes with"
                    + " REM_ACCESS_ERR and returns no data.",
            source = "ibv_post_send(3); IBTA volume 1, sections 9.7.4.1.6 and 10.6",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"whether the responder checks the range of an RDMA READ before it sends the first response"})
    default void aReadBeyondItsRegionReturnsNoData(@From(Trespass.Any.class) Trespass range) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withBytes(Trespass.REGION));
            Region region = ends.responder().region();
            assertReadRefused(ends, region.address() + range.from(), region.rkey(), range.length());
        }
    }

    @Rule(
            id = "MEM-05",
            text = "An RDMA READ of a region without REMOTE_READ completes with REM_ACCESS_ERR, and returns no data.",
            source = "ibv_reg_mr(3); IBTA volume 1, section 10.6",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"the access rights that an RDMA READ requires"})
    default void aReadWithoutRemoteReadAccessReturnsNoData() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withAccess(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
            Region region = ends.responder().region();
            assertReadRefused(ends, region.address(), region.rkey(), 64);
        }
    }

    @Rule(
            id = "MEM-11",
            text = "A SEND from a memory region of another protection domain completes with LOC_PROT_ERR, and the peer"
                    + " receives nothing.",
            source = "ibv_post_send(3); IBTA volume 1, sections 10.6.3.1 and 11.6.2",
            lookAt = {"the check of the lkey at execution", "the completion status of a request with a wrong lkey"})
    default void aSendFromAnotherProtectionDomainFails() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            Region foreign = Pd.open(pair.first()).register(requester.memory());
            ends.responder().receive(1, 0, 64);
            requester.send(Send.send(2).from(foreign.sge(0, 64)));
            assertStatuses(requester.sends(), WorkCompletionStatus.LOC_PROT_ERR);
            requester.qp().assertState(QpState.ERR);
            ends.responder().receives().assertQuiet();
        }
    }

    @Rule(
            id = "MEM-12",
            text = "A receive into a memory region without LOCAL_WRITE completes with LOC_PROT_ERR, and the SEND of"
                    + " the peer completes with REM_OP_ERR.",
            source = "ibv_poll_cq(3); IBTA volume 1, sections 9.7.5.2.7 and 10.6.3",
            lookAt = {
                "whether a receive requires the access right LOCAL_WRITE",
                "whether the NAK code of the responder is Remote Operational Error"
            })
    default void aReceiveIntoReadOnlyMemoryFails() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual(), Shape.usual().withAccess(), Connection.usual());
            byte[] before = ends.responder().memory().contents();
            ends.responder().receive(1, 0, 64);
            ends.requester().send(2, 0, 64);
            assertStatuses(ends.requester().sends(), WorkCompletionStatus.REM_OP_ERR);
            assertStatuses(ends.responder().receives(), WorkCompletionStatus.LOC_PROT_ERR);
            ends.responder().memory().assertHolds(before);
        }
    }

    @Rule(
            id = "MEM-13",
            text = "An RDMA READ into a region without LOCAL_WRITE completes with LOC_PROT_ERR, and writes no byte.",
            source = "ibv_poll_cq(3); IBTA volume 1, section 10.6.3",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"the access rights that an RDMA READ requires of its local memory"})
    default void aReadIntoReadOnlyMemoryFails() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withAccess(), Shape.usual(), Connection.usual());
            End requester = ends.requester();
            byte[] before = requester.memory().contents();
            requester.send(Send.read(1, ends.responder().at(0)).from(requester.sge(0, 64)));
            assertStatuses(requester.sends(), WorkCompletionStatus.LOC_PROT_ERR);
            requester.memory().assertHolds(before);
        }
    }

    @Rule(
            id = "MEM-14",
            text = "If a message is longer than its receive, the receive completes with LOC_LEN_ERR, and the SEND"
                    + " completes with REM_INV_REQ_ERR. No byte is written outside of the receive's buffer.",
            source = "ibv_poll_cq(3); IBTA volume 1, sections 9.7.4.1.3 and 11.6.2",
            lookAt = {
                "whether each packet's payload is compared with the remaining room in the receive",
                "whether the NAK code means an invalid request"
            })
    default void aMessageLongerThanItsReceiveFails(
            @IntRange(max = 2500) int room, @IntRange(min = 1, max = 1500) int surplus) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            byte[] message = ends.requester().memory().fill(0, room + surplus, 1);
            ends.responder().receive(1, 0, room);
            ends.requester().send(2, 0, message.length);
            assertStatuses(ends.requester().sends(), WorkCompletionStatus.REM_INV_REQ_ERR);
            assertStatuses(ends.responder().receives(), WorkCompletionStatus.LOC_LEN_ERR);
            byte[] behind = ends.responder().memory().read(room, Shape.usual().bytes() - room + Memory.GUARD);
            for (byte value : behind) {
                assertTrue(value == behind[behind.length - 1], "a byte after the receive buffer was written");
            }
        }
    }

    @Rule(
            id = "MEM-15",
            text = "The registration of memory with REMOTE_WRITE but without LOCAL_WRITE is refused with EINVAL.",
            source = "ibv_reg_mr(3)",
            needs = {},
            lookAt = {"the check of the access rights at registration"})
    default void remoteWriteNeedsLocalWrite() {
        try (Pair pair = pair()) {
            Pd pd = Pd.open(pair.first());
            Memory memory = Memory.allocate(pair.first(), 64);
            assertErrno(Errno.EINVAL, () -> pd.register(memory, AccessFlag.REMOTE_WRITE));
            assertErrno(Errno.EINVAL, () -> pd.register(memory, 0, 0, Set.of(AccessFlag.LOCAL_WRITE)));
        }
    }

    @Rule(
            id = "MEM-16",
            text = "A receive whose memory region was closed completes with LOC_PROT_ERR, and the SEND of the peer"
                    + " completes with REM_OP_ERR.",
            source = "ibv_dereg_mr(3); the Javadoc of MemoryRegion",
            lookAt = {"whether the lkey of a receive is checked when the message arrives, not only at the post"})
    default void aReceiveWhoseRegionIsClosedFails() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            byte[] before = ends.responder().memory().contents();
            ends.responder().receive(1, 0, 64);
            ends.responder().region().close();
            ends.requester().send(2, 0, 64);
            assertStatuses(ends.requester().sends(), WorkCompletionStatus.REM_OP_ERR);
            assertStatuses(ends.responder().receives(), WorkCompletionStatus.LOC_PROT_ERR);
            ends.responder().memory().assertHolds(before);
        }
    }

    @Rule(
            id = "MEM-17",
            text = "If two memory regions cover the same memory, each memory region grants exactly the access rights"
                    + " of its own registration.",
            source = "ibv_reg_mr(3)",
            lookAt = {"whether access rights are stored with the memory instead of with its registration"})
    default void overlappingRegionsKeepTheirOwnAccessRights() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End responder = ends.responder();
            Region readOnly = responder.pd().register(responder.memory(), AccessFlag.REMOTE_READ);
            ends.requester()
                    .send(Send.write(1, responder.at(0)).from(ends.requester().sge(0, 64)));
            ends.requester().sends().awaitIds(1L);
            assertWriteRefused(ends, readOnly);
        }
    }

    @Rule(
            id = "MEM-18",
            text = "A memory region that is registered at an address of the caller's choice is accessible at that"
                    + " address, and at no other address.",
            source = "ibv_reg_mr_iova(3)",
            needs = {Capability.RC, Capability.IOVA_MR},
            lookAt = {"the translation of remote addresses", "the handling of remote addresses up to 2^48"})
    default void aRegionIsAccessibleAtItsChosenAddress(
            @IntRange(max = 4032) int offset, @IntRange(min = 1, max = 0xFFFF) int page) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End responder = ends.responder();
            long iova = (long) page << 32;
            Region region = responder
                    .pd()
                    .register(
                            responder.memory(),
                            0,
                            responder.memory().bytes(),
                            Optional.of(iova),
                            Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
            byte[] message = ends.requester().memory().fill(0, 64, 3);
            byte[] expected = Memory.patched(responder.memory().contents(), offset, message);
            ends.requester()
                    .send(Send.write(1, iova + offset, region.rkey())
                            .from(ends.requester().sge(0, 64)));
            ends.requester().sends().awaitIds(1L);
            responder.memory().assertHolds(expected);
            assertWriteRefused(ends, iova - 1, region.rkey(), 64);
        }
    }
}
