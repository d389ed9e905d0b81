// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static dev.verbena.conformance.rules.Checks.assertStatuses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.FastRegion;
import dev.verbena.conformance.side.FmrPages;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Pd;
import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.conformance.side.Window;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of rule area MEM about keys that change: memory windows, invalidation, fast registration and reregistration.
 */
public interface KeyRules extends RuleSet {
    private static Pair.Ends bindable(Pair pair) {
        return pair.connected(
                Shape.usual(),
                Shape.usual().withAccess(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND),
                Connection.usual());
    }

    private static void write(Pair.Ends ends, long id, long address, int rkey, WorkCompletionStatus expected) {
        End requester = ends.requester();
        requester.send(Send.write(id, address, rkey).from(requester.sge(0, 16)));
        assertStatuses(requester.sends(), expected);
    }

    @Rule(
            id = "MEM-19",
            text = "After a reregistration of a memory region, the peer has the access rights that were added, and"
                    + " lacks the access rights that were removed.",
            source = "ibv_rereg_mr(3) (IBV_REREG_MR_CHANGE_ACCESS)",
            needs = {Capability.RC, Capability.REREGISTER_MR},
            lookAt = {"whether access rights are cached outside of the memory region"})
    default void reregistrationChangesAccessRights() {
        try (Pair pair = pair()) {
            Pair.Ends ends =
                    pair.connected(Shape.usual(), Shape.usual().withAccess(AccessFlag.LOCAL_WRITE), Connection.usual());
            Region region = ends.responder().region();
            region.reregister(Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
            write(ends, 1, region.address(), region.rkey(), WorkCompletionStatus.SUCCESS);
            region.reregister(Set.of(AccessFlag.LOCAL_WRITE));
            write(ends, 2, region.address(), region.rkey(), WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Rule(
            id = "MEM-20",
            text = "After a reregistration in another protection domain, a memory region grants no access through queue"
                    + " pairs of the old protection domain.",
            source = "ibv_rereg_mr(3) (IBV_REREG_MR_CHANGE_PD)",
            needs = {Capability.RC, Capability.REREGISTER_MR},
            lookAt = {"the code that compares the protection domain of the memory with that of the queue pair"})
    default void reregistrationChangesTheProtectionDomain() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            Region region = ends.responder().region();
            write(ends, 1, region.address(), region.rkey(), WorkCompletionStatus.SUCCESS);
            region.reregister(Pd.open(pair.second()));
            write(ends, 2, region.address(), region.rkey(), WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Rule(
            id = "MEM-21",
            text = "A memory window grants access to exactly the range to which the memory window is bound.",
            source = "ibv_bind_mw(3); IBTA volume 1, section 10.6.7.2",
            needs = {Capability.RC, Capability.MW_TYPE_1},
            lookAt = {"whether the responder checks the bounds of the memory window, not of its memory region"})
    default void aWindowGrantsExactlyItsRange(
            @IntRange(min = 1, max = 1000) int offset,
            @IntRange(min = 16, max = 1000) int length,
            @IntRange(min = 1, max = 16) int beyond,
            boolean before) {
        try (Pair pair = pair()) {
            Pair.Ends ends = bindable(pair);
            End owner = ends.responder();
            Window window = owner.pd().window(MemoryWindowType.TYPE_1);
            owner.qp().bind(1, window.to(owner.region(), offset, length, AccessFlag.REMOTE_WRITE));
            owner.sends().awaitIds(1L);
            long start = owner.region().address() + offset;
            int rkey = window.rkey();
            write(ends, 2, start, rkey, WorkCompletionStatus.SUCCESS);
            write(ends, 3, start + length - 16, rkey, WorkCompletionStatus.SUCCESS);
            byte[] contents = owner.memory().contents();
            long outside = before ? start - Math.min(beyond, offset) : start + length - 16 + beyond;
            write(ends, 4, outside, rkey, WorkCompletionStatus.REM_ACCESS_ERR);
            owner.memory().assertHolds(contents);
        }
    }

    @Rule(
            id = "MEM-22",
            text = "A memory window that is bound again has a new key for the new range; the old key grants no access.",
            source = "ibv_bind_mw(3); IBTA volume 1, section 10.6.7.2",
            needs = {Capability.RC, Capability.MW_TYPE_1},
            lookAt = {"whether each bind changes the key of the memory window"})
    default void aWindowBoundAgainHasANewKey() {
        try (Pair pair = pair()) {
            Pair.Ends ends = bindable(pair);
            End owner = ends.responder();
            Window window = owner.pd().window(MemoryWindowType.TYPE_1);
            owner.qp().bind(1, window.to(owner.region(), 0, 64, AccessFlag.REMOTE_WRITE));
            int old = window.rkey();
            owner.qp().bind(2, window.to(owner.region(), 0, 128, AccessFlag.REMOTE_WRITE));
            owner.sends().awaitIds(1L, 2L);
            write(ends, 3, owner.region().address() + 100, window.rkey(), WorkCompletionStatus.SUCCESS);
            write(ends, 4, owner.region().address(), old, WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Rule(
            id = "MEM-23",
            text = "A memory window cannot be bound to a memory region without MW_BIND.",
            source = "ibv_bind_mw(3); ibv_reg_mr(3)",
            needs = {Capability.RC, Capability.MW_TYPE_1},
            lookAt = {"the check for the access right MW_BIND when a memory window is bound"})
    default void aWindowNeedsARegionWithMwBind() {
        try (Pair pair = pair()) {
            End owner = pair.connected().responder();
            Window window = owner.pd().window(MemoryWindowType.TYPE_1);
            assertErrno(
                    Errno.EINVAL, () -> owner.qp().bind(1, window.to(owner.region(), 0, 64, AccessFlag.REMOTE_WRITE)));
        }
    }

    @Rule(
            id = "MEM-24",
            text = "A memory window of type 2B grants access only through the queue pair that bound it.",
            source = "ibv_bind_mw(3); IBTA volume 1, section 10.6.7.2.2",
            needs = {Capability.RC, Capability.MW_TYPE_2B},
            lookAt = {"whether the device checks through which queue pair a window of type 2B was bound"})
    default void aWindowOfType2BelongsToItsQueuePair() {
        try (Pair pair = pair()) {
            Pair.Ends ends = bindable(pair);
            Pair.Ends others = pair.another(ends, Shape.usual(), Connection.usual());
            int key = bindType2(ends.responder());
            long address = ends.responder().region().address();
            write(ends, 2, address, key, WorkCompletionStatus.SUCCESS);
            write(others, 3, address, key, WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    private static int bindType2(End owner) {
        Window window = owner.pd().window(MemoryWindowType.TYPE_2);
        int key = window.nextRkey();
        bindType2(owner, window, key, 1);
        return key;
    }

    private static void bindType2(End owner, Window window, int key, long id) {
        owner.send(Send.bind(id, key, window.to(owner.region(), 0, 64, AccessFlag.REMOTE_WRITE)));
        owner.sends().awaitIds(id);
    }

    @Rule(
            id = "MEM-25",
            text = "A SEND with invalidate invalidates its key before the receive completes, and the completion of the"
                    + " receive contains this key.",
            source = "ibv_post_send(3) (IBV_WR_SEND_WITH_INV); IBTA volume 1, section 9.4.1.1",
            needs = {Capability.RC, Capability.SEND_WITH_INV, Capability.MW_TYPE_2B},
            lookAt = {
                "whether the key is invalidated before the receive completes",
                "whether the completion of the receive contains the key"
            })
    default void sendWithInvalidateInvalidatesTheKey() {
        try (Pair pair = pair()) {
            Pair.Ends ends = bindable(pair);
            int key = bindType2(ends.responder());
            long address = ends.responder().region().address();
            write(ends, 2, address, key, WorkCompletionStatus.SUCCESS);
            ends.responder().receive(3, 0, 64);
            ends.requester()
                    .send(Send.sendWithInvalidate(4, key).from(ends.requester().sge(0, 64)));
            Completion received = ends.responder().receives().await(1).getFirst();
            assertEquals(Optional.of(key), received.invalidated(), "invalidated key in the completion");
            ends.requester().sends().awaitIds(4L);
            write(ends, 5, address, key, WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Rule(
            id = "MEM-26",
            text = "A local invalidate disables the key of a memory window. After a bind with the next key, the new"
                    + " key grants access and the old key does not.",
            source = "ibv_post_send(3) (IBV_WR_LOCAL_INV, IBV_WR_BIND_MW)",
            needs = {Capability.RC, Capability.MW_TYPE_2B},
            lookAt = {"the effect of an invalidation on a memory window of type 2", "the key in ibv_mw after a bind"})
    default void localInvalidateInvalidatesTheKey() {
        try (Pair pair = pair()) {
            Pair.Ends ends = bindable(pair);
            End owner = ends.responder();
            int key = bindType2(owner);
            owner.send(Send.localInvalidate(2, key));
            owner.sends().awaitIds(2L);
            write(ends, 3, owner.region().address(), key, WorkCompletionStatus.REM_ACCESS_ERR);
        }
        try (Pair pair = pair()) {
            Pair.Ends ends = bindable(pair);
            End owner = ends.responder();
            Window window = owner.pd().window(MemoryWindowType.TYPE_2);
            int first = window.nextRkey();
            bindType2(owner, window, first, 1);
            owner.send(Send.localInvalidate(2, first));
            owner.sends().awaitIds(2L);
            int second = RemoteKey.increment(first);
            bindType2(owner, window, second, 3);
            write(ends, 4, owner.region().address(), second, WorkCompletionStatus.SUCCESS);
            write(ends, 5, owner.region().address(), first, WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Rule(
            id = "MEM-27",
            text = "A fast registration grants access between its completion and its invalidation. After another REG_MR"
                    + " with an incremented key, the old key grants no access.",
            source = "the kernel verbs ib_map_mr_sg and IB_WR_REG_MR",
            needs = {Capability.RC, Capability.FAST_REGISTRATION},
            lookAt = {
                "whether REG_MR changes the low byte of the key and makes the key valid",
                "whether LOCAL_INV makes the key invalid"
            })
    default void aFastRegistrationGrantsAccessUntilInvalidated() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End owner = ends.responder();
            Memory memory = Memory.allocate(pair.second(), 2 * Memory.GUARD);
            FastRegion region = owner.pd().fastRegion(memory, 2);
            region.map(0, memory.bytes());
            Send.Binding rights = region.registration(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            int first = RemoteKey.increment(region.rkey());
            owner.send(Send.register(1, first, rights));
            owner.sends().awaitIds(1L);
            write(ends, 2, region.address(), first, WorkCompletionStatus.SUCCESS);
            int second = RemoteKey.increment(first);
            owner.send(Send.localInvalidate(3, first));
            owner.send(Send.register(4, second, rights));
            owner.sends().awaitIds(3L, 4L);
            write(ends, 5, region.address(), second, WorkCompletionStatus.SUCCESS);
            write(ends, 6, region.address(), first, WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Rule(
            id = "MEM-29",
            text = "A mapped FMR grants access to its pages at the requested address until it is unmapped. After"
                    + " the unmap the key of the FMR grants no access.",
            source = "the kernel verbs ib_map_phys_fmr and ib_unmap_fmr (before Linux 5.8)",
            needs = {Capability.RC, Capability.FMR},
            lookAt = {
                "whether each mapping of an FMR changes its key",
                "whether the key is already invalid when the unmap call returns"
            })
    default void anFmrGrantsAccessUntilUnmapped() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            Memory memory = Memory.allocate(pair.second(), 2 * Memory.GUARD);
            FmrPages region = ends.responder().pd().fmr(memory, 2, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            long iova = 0x7700_0000_0000L;
            region.map(0, memory.bytes(), iova);
            byte[] bytes = ends.requester().memory().fill(0, 16, 3);
            write(ends, 1, iova + 100, region.rkey(), WorkCompletionStatus.SUCCESS);
            memory.assertHolds(100, bytes);
            region.unmap();
            write(ends, 2, iova + 100, region.rkey(), WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Rule(
            id = "MEM-30",
            text = "After a reregistration with other memory, a memory region grants access to the new memory, and no"
                    + " access to the old memory.",
            source = "ibv_rereg_mr(3) (IBV_REREG_MR_CHANGE_TRANSLATION)",
            needs = {Capability.RC, Capability.REREGISTER_MR},
            lookAt = {"whether the range, the address and the pages of the memory region change together"})
    default void reregistrationChangesTheMemory(@IntRange(min = 1, max = 200) int further) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            Region region = ends.responder().region();
            long before = region.address();
            region.reregister(further * 16L, 64);
            byte[] bytes = ends.requester().memory().fill(0, 16, 5);
            write(ends, 1, region.address(), region.rkey(), WorkCompletionStatus.SUCCESS);
            ends.responder().memory().assertHolds(further * 16L, bytes);
            write(ends, 2, before, region.rkey(), WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }
}
