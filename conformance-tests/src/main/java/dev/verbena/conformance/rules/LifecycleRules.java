// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static dev.verbena.conformance.rules.Checks.assertStatuses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.arbitraries.Size;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Cq;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Pd;
import dev.verbena.conformance.side.Qp;
import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.conformance.side.Srq;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of rule area OBJ: object lifetimes, and the order in which objects are closed. */
public interface LifecycleRules extends RuleSet {
    @Rule(
            id = "OBJ-01",
            text = "While an open queue pair uses a protection domain or a completion queue, closing the protection"
                    + " domain or completion queue fails with EBUSY, and all objects continue to work.",
            source = "ibv_dealloc_pd(3); ibv_destroy_cq(3)",
            lookAt = {"the use counts of protection domains and CQs", "whether a failed close changes nothing"})
    default void objectsOfAQueuePairCannotBeClosedBeforeIt() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            assertErrno(Errno.EBUSY, ends.requester().pd()::close);
            assertErrno(Errno.EBUSY, ends.requester().sends()::close);
            assertErrno(Errno.EBUSY, ends.requester().receives()::close);
            ends.assertAlive(1);
        }
    }

    @Rule(
            id = "OBJ-02",
            text = "While a memory region covers a part of a VerbsArena, closing the arena fails with EBUSY, and the"
                    + " memory of the arena stays valid. After the memory region is closed, the arena can be closed.",
            source = "the Javadoc of VerbsArena.close",
            needs = {},
            lookAt = {"the count of the memory regions that cover an arena, including regions in slices of the arena"})
    default void anArenaWithRegionsCannotBeClosed() {
        try (Pair pair = pair()) {
            Pd pd = Pd.open(pair.first());
            Memory memory = Memory.allocate(pair.first(), 3 * Memory.GUARD);
            Region region = pd.register(memory, Memory.GUARD, Memory.GUARD, Set.of(AccessFlag.LOCAL_WRITE));
            assertErrno(Errno.EBUSY, memory::close);
            memory.fill(0, 64, 1);
            region.close();
            memory.close();
        }
    }

    @Rule(
            id = "OBJ-03",
            text = "Closing a protection domain fails with EBUSY while the protection domain has a memory region, and"
                    + " succeeds after the memory region is closed.",
            source = "ibv_dealloc_pd(3)",
            needs = {},
            lookAt = {"whether each kind of object counts as a user of its protection domain until it is closed"})
    default void aProtectionDomainWithRegionsCannotBeClosed() {
        try (Pair pair = pair()) {
            Pd pd = Pd.open(pair.first());
            Region region = pd.register(Memory.allocate(pair.first(), 64));
            assertErrno(Errno.EBUSY, pd::close);
            region.close();
            pd.close();
        }
    }

    @Rule(
            id = "OBJ-04",
            text = "Closing a shared receive queue fails with EBUSY while a queue pair uses the shared receive queue."
                    + " Closing a protection domain fails with EBUSY while the protection domain has a shared receive"
                    + " queue.",
            source = "ibv_destroy_srq(3)",
            needs = {Capability.SRQ, Capability.MANUAL_CONNECT, Capability.RC},
            lookAt = {"the count of queue pairs that use a shared receive queue"})
    default void aSharedReceiveQueueInUseCannotBeClosed() {
        try (Pair pair = pair()) {
            End end = End.open(pair.first(), Shape.usual().withSrq(4));
            Srq srq = end.srq().orElseThrow();
            assertErrno(Errno.EBUSY, srq::close);
            end.qp().close();
            end.region().close();
            assertErrno(Errno.EBUSY, end.pd()::close);
            srq.close();
            end.pd().close();
        }
    }

    @Rule(
            id = "OBJ-05",
            text = "Closing a protection domain fails with EBUSY while the protection domain has an address handle.",
            source = "ibv_dealloc_pd(3); ibv_destroy_ah(3)",
            needs = {Capability.UD},
            lookAt = {"whether an address handle counts as a user of its protection domain"})
    default void aProtectionDomainWithAddressHandlesCannotBeClosed() {
        try (Pair pair = pair()) {
            Pd pd = Pd.open(pair.first());
            var handle = pd.ah(pair.second());
            assertErrno(Errno.EBUSY, pd::close);
            handle.close();
            pd.close();
        }
    }

    @Rule(
            id = "OBJ-06",
            text = "While a memory window is bound to a memory region, closing the memory region fails with EBUSY,"
                    + " and the memory window still grants access to its range. After the memory window is closed, the"
                    + " memory region can be closed.",
            source = "ibv_dereg_mr(3); ibv_bind_mw(3)",
            needs = {Capability.RC, Capability.MW_TYPE_1},
            lookAt = {"the count of the memory windows that are bound to a memory region"})
    default void aRegionWithBoundWindowsCannotBeClosed() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Shape.usual().withAccess(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND));
            End owner = ends.responder();
            var window = owner.pd().window(MemoryWindowType.TYPE_1);
            owner.qp().bind(1, window.to(owner.region(), 0, 64, AccessFlag.REMOTE_WRITE));
            owner.sends().awaitIds(1L);
            assertErrno(Errno.EBUSY, owner.region()::close);
            ends.requester()
                    .send(Send.write(2, owner.region().address(), window.rkey())
                            .from(ends.requester().sge(0, 64)));
            ends.requester().sends().awaitIds(2L);
            window.close();
            owner.region().close();
        }
    }

    @Rule(
            id = "OBJ-07",
            text = "A queue pair can be closed in every state and with any posted requests. After the queue pair is"
                    + " closed, none of its requests completes.",
            source = "ibv_destroy_qp(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the teardown of a queue pair with posted requests", "whether a timer outlives its queue pair"})
    default void aQueuePairCanBeClosedInEveryState(QpState state, @IntRange(max = 4) int posts) {
        try (Pair pair = pair()) {
            Pair.Ends ends = States.in(pair, QpType.RC, state);
            Qp qp = ends.requester().qp();
            for (int i = 0; i < posts; i++) {
                qp.post(ends.requester().into(i, 0, 8));
                qp.post(States.send(ends, 100 + i));
            }
            if (state == QpState.ERR || state == QpState.SQE) {
                ends.requester().sends().inSilence();
                ends.requester().receives().inSilence();
            }
            qp.close();
            ends.requester().sends().assertQuiet();
            ends.requester().receives().assertQuiet();
        }
    }

    @Rule(
            id = "OBJ-08",
            text = "After a queue pair is closed with a READ in flight, no response changes the buffer of the READ.",
            source = "ibv_destroy_qp(3); the Javadoc of QueuePair.close",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"the handling of responses that arrive after the queue pair is closed"})
    default void aClosedQueuePairWritesNoMemory(@IntRange(min = 1, max = 4000) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            ends.responder().memory().fill(0, length, 3);
            requester.send(Send.read(1, ends.responder().at(0)).from(requester.sge(0, length)));
            requester.qp().close();
            byte[] before = requester.memory().contents();
            pair.first().silence();
            requester.memory().assertHolds(before);
        }
    }

    @Rule(
            id = "OBJ-09",
            text = "Closing a queue pair that is attached to a multicast group fails with EBUSY.",
            source = "ibv_attach_mcast(3); ibv_destroy_qp(3)",
            needs = {Capability.UD, Capability.MANUAL_CONNECT, Capability.UD_MULTICAST},
            lookAt = {"the list of the multicast groups to which a queue pair is attached"})
    default void anAttachedQueuePairCannotBeClosed() {
        try (Pair pair = pair()) {
            Qp qp = End.open(pair.first(), Shape.usual().withType(QpType.UD)).qp();
            Gid group = Datagrams.group(pair.first());
            qp.attach(group);
            assertErrno(Errno.EBUSY, qp::close);
            qp.detach(group);
            qp.close();
        }
    }

    @Rule(
            id = "OBJ-10",
            text = "All open queue pairs of a device have different queue pair numbers, and all open memory regions of"
                    + " a device have different keys.",
            source = "ibv_create_qp(3); ibv_reg_mr(3); IBTA volume 1, sections 10.2.4 and 10.6.3",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"how the device reuses the numbers of closed queue pairs and the keys of closed regions"})
    default void numbersAndKeysOfOpenObjectsDiffer(@Size(max = 20) List<Boolean> closes) {
        try (Pair pair = pair()) {
            End end = End.open(pair.first(), Shape.usual());
            Cq queue = Cq.open(pair.first(), 16);
            Set<Integer> numbers = new HashSet<>(Set.of(end.qp().number()));
            Set<Integer> keys = new HashSet<>(Set.of(end.region().rkey()));
            for (boolean close : closes.subList(0, Math.min(20, closes.size()))) {
                Qp qp = end.pd().qp(QpType.RC, queue, queue, QpCapabilities.of(1, 1));
                Region region = end.pd().register(end.memory(), AccessFlag.LOCAL_WRITE);
                assertEquals(true, numbers.add(qp.number()), () -> "the number " + qp.number() + " is in use");
                assertEquals(true, keys.add(region.rkey()), () -> "the key " + region.rkey() + " is in use");
                if (close) {
                    numbers.remove(qp.number());
                    keys.remove(region.rkey());
                    qp.close();
                    region.close();
                }
            }
        }
    }

    @Rule(
            id = "OBJ-11",
            text = "After the last queue pair of a completion queue is closed, the completion queue can be closed, even"
                    + " if not all completions were polled.",
            source = "ibv_destroy_cq(3)",
            lookAt = {"whether unpolled completions wrongly count as users of the completion queue"})
    default void aCompletionQueueWithCompletionsCanBeClosed() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            ends.responder().receive(1, 0, 8);
            ends.requester().send(2, 0, 8);
            ends.responder().receives().awaitIds(1L);
            pair.first().silence();
            ends.requester().qp().close();
            ends.requester().sends().close();
        }
    }

    @Rule(
            id = "OBJ-12",
            text = "Closing an object releases its resources, so a program can create and close objects one after"
                    + " another without limit.",
            source = "ibv_create_qp(3); ibv_reg_mr(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether closing an object releases the object's slot in each table of the device"})
    default void closingAnObjectReleasesItsResources() {
        try (Pair pair = pair()) {
            Pd pd = Pd.open(pair.first());
            Memory memory = Memory.allocate(pair.first(), 64);
            Cq queue = Cq.open(pair.first(), 16);
            for (int i = 0; i < 300; i++) {
                Region region = pd.register(memory, AccessFlag.LOCAL_WRITE);
                Qp qp = pd.qp(QpType.RC, queue, queue, QpCapabilities.of(4, 4));
                qp.close();
                region.close();
            }
        }
    }

    @Rule(
            id = "OBJ-13",
            text = "An error of one queue pair does not affect other queue pairs of the same device and the same"
                    + " protection domain.",
            source = "IBTA volume 1, sections 10.2.4 and 10.10",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"the data structures that several queue pairs share"})
    default void anErrorDoesNotAffectOtherQueuePairs() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            Pair.Ends others =
                    pair.another(ends, Shape.usual(), Connection.usual().withPsns(1, 2));
            ends.requester().send(1, 0, 8);
            ends.requester().qp().modify(QpAttributes.error());
            assertStatuses(ends.requester().sends(), WorkCompletionStatus.WR_FLUSH_ERR);
            others.assertAlive(2);
        }
    }
}
