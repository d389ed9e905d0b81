// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Receive;
import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.conformance.side.Side;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.OdpOperation;
import dev.verbena.verbs.QpType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * The rules of rule area ODP about requests that access on-demand memory. If a device does not report an operation in
 * {@code odp_caps}, the rules of the operation are skipped, because the operation may fail or succeed.
 */
public interface OnDemandRules extends RuleSet {
    private static Shape shape(Pair pair, AccessFlag... more) {
        Shape shape = Shape.usual()
                .withBytes(4 * page(pair))
                .withAccess(
                        AccessFlag.ON_DEMAND, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
        return more.length == 0 ? shape : shape.withAccess(more);
    }

    /** Compares the system page sizes of the two devices, and returns the larger page size. */
    static long page(Pair pair) {
        return Math.max(
                pair.first().facts().attributes().systemPageSize(),
                pair.second().facts().attributes().systemPageSize());
    }

    private static int length(Pair pair) {
        return (int) (3 * page(pair)) + 100;
    }

    private static void assumeClaimed(Pair pair, QpType type, OdpOperation requester, OdpOperation responder) {
        assumeTrue(claims(pair.first(), type).contains(requester));
        assumeTrue(claims(pair.second(), type).contains(responder));
    }

    private static Set<OdpOperation> claims(Side side, QpType type) {
        return side.facts().attributes().odpCapabilities().operations(type);
    }

    /**
     * Transfers a message three times. Before the first and the third transfer, discards the physical pages of the
     * target memory. Before the second transfer, discards the physical pages of the source memory.
     */
    private static void assertTransfers(Memory source, Memory target, long at, int length, Runnable transfer) {
        byte[] message = source.fill(0, length, 1);
        target.discard(0, target.bytes());
        transfer.run();
        target.assertHolds(at, message);
        source.discard(0, source.bytes());
        transfer.run();
        target.assertHolds(at, new byte[length]);
        byte[] later = source.fill(0, length, 2);
        target.discard(0, target.bytes());
        transfer.run();
        target.assertHolds(at, later);
    }

    private static void assertWrites(Pair.Ends ends, int length, Send... then) {
        End requester = ends.requester();
        assertTransfers(requester.memory(), ends.responder().memory(), 0, length, () -> {
            requester.send(Send.write(1, ends.responder().at(0)).from(requester.sge(0, length)));
            requester.sends().awaitIds(1L);
            for (Send send : then) {
                requester.send(send);
                requester.sends().awaitIds(send.id());
            }
        });
    }

    private static void assertSends(Pair.Ends ends, int length) {
        End requester = ends.requester();
        End responder = ends.responder();
        assertTransfers(requester.memory(), responder.memory(), 0, length, () -> {
            responder.receive(1, 0, length);
            requester.send(2, 0, length);
            requester.sends().awaitIds(2L);
            responder.receives().awaitIds(1L);
        });
    }

    @Rule(
            id = "ODP-01",
            text = "A SEND on a reliable connection transfers bytes from on-demand memory to on-demand memory. Even"
                    + " if the kernel has removed or replaced pages, the transfer reads and writes the memory that the"
                    + " processes see.",
            source = "ibv_reg_mr(3) (IBV_ACCESS_ON_DEMAND); ibv_query_device_ex(3) (odp_caps)",
            needs = {Capability.RC, Capability.ON_DEMAND_PAGING},
            lookAt = {
                "the page fault for a page that has no translation yet",
                "the invalidation of a removed page (MMU notifier)"
            })
    default void aSendTransfersOnDemandMemory() {
        try (Pair pair = pair()) {
            assumeClaimed(pair, QpType.RC, OdpOperation.SEND, OdpOperation.RECV);
            assertSends(pair.connected(shape(pair)), length(pair));
        }
    }

    @Rule(
            id = "ODP-02",
            text = "An RDMA WRITE transfers bytes from on-demand memory to on-demand memory. Even if the kernel has"
                    + " removed or replaced pages, the transfer reads and writes the memory that the processes see.",
            source = "ibv_reg_mr(3) (IBV_ACCESS_ON_DEMAND); ibv_query_device_ex(3) (odp_caps)",
            needs = {Capability.RC, Capability.ON_DEMAND_PAGING},
            lookAt = {"the page faults of the responder", "the invalidation of a removed page"})
    default void aWriteTransfersOnDemandMemory() {
        try (Pair pair = pair()) {
            assumeClaimed(pair, QpType.RC, OdpOperation.WRITE, OdpOperation.WRITE);
            assertWrites(pair.connected(shape(pair)), length(pair));
        }
    }

    @Rule(
            id = "ODP-03",
            text = "An RDMA READ transfers bytes from on-demand memory to on-demand memory. Even if the kernel has"
                    + " removed or replaced pages, the transfer reads and writes the memory that the processes see.",
            source = "ibv_reg_mr(3) (IBV_ACCESS_ON_DEMAND); ibv_query_device_ex(3) (odp_caps)",
            needs = {Capability.RC, Capability.RDMA_READ, Capability.ON_DEMAND_PAGING},
            lookAt = {
                "how the requester handles a page fault when it writes a response to memory",
                "the invalidation of a removed page"
            })
    default void aReadTransfersOnDemandMemory() {
        try (Pair pair = pair()) {
            assumeClaimed(pair, QpType.RC, OdpOperation.READ, OdpOperation.READ);
            Pair.Ends ends = pair.connected(shape(pair));
            End requester = ends.requester();
            int length = length(pair);
            assertTransfers(ends.responder().memory(), requester.memory(), 0, length, () -> {
                requester.send(Send.read(1, ends.responder().at(0)).from(requester.sge(0, length)));
                requester.sends().awaitIds(1L);
            });
        }
    }

    @Rule(
            id = "ODP-04",
            text = "An atomic operation on on-demand memory returns and changes the bytes that the process sees, even"
                    + " after the kernel has removed or replaced the page of the memory.",
            source = "ibv_reg_mr(3) (IBV_ACCESS_ON_DEMAND); ibv_query_device_ex(3) (odp_caps)",
            needs = {Capability.RC, Capability.ATOMICS, Capability.ON_DEMAND_PAGING},
            lookAt = {"whether the page fault of an atomic operation requests a writable page"})
    default void anAtomicChangesOnDemandMemory() {
        try (Pair pair = pair()) {
            assumeClaimed(pair, QpType.RC, OdpOperation.ATOMIC, OdpOperation.ATOMIC);
            Pair.Ends ends = pair.connected(
                    shape(pair, AccessFlag.ON_DEMAND, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC),
                    Connection.usual()
                            .withAccess(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC));
            End requester = ends.requester();
            Memory target = ends.responder().memory();
            assertTransfers(target, requester.memory(), 0, Long.BYTES, () -> add(ends, 0));
            target.discard(0, target.bytes());
            add(ends, 1);
            byte[] one = ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .putLong(1)
                    .array();
            target.assertHolds(0, one);
        }
    }

    private static void add(Pair.Ends ends, long addend) {
        End requester = ends.requester();
        requester.send(Send.fetchAndAdd(1, ends.responder().at(0), addend).from(requester.sge(0, Long.BYTES)));
        requester.sends().awaitIds(1L);
    }

    @Rule(
            id = "ODP-05",
            text = "A SEND that consumes a receive of a shared receive queue writes its bytes to on-demand memory. The"
                    + " receiving process sees the SEND's bytes, even if the kernel has removed or replaced pages.",
            source = "ibv_reg_mr(3) (IBV_ACCESS_ON_DEMAND); ibv_query_device_ex(3) (IBV_ODP_SUPPORT_SRQ_RECV)",
            needs = {Capability.RC, Capability.SRQ, Capability.ON_DEMAND_PAGING},
            lookAt = {"page faults in the receive buffer of a message that has already consumed a receive of the SRQ"})
    default void aSharedReceiveFillsOnDemandMemory() {
        try (Pair pair = pair()) {
            assumeClaimed(pair, QpType.RC, OdpOperation.SEND, OdpOperation.SRQ_RECV);
            Shape shape = shape(pair);
            assertSends(pair.connected(shape, shape.withSrq(4), Connection.usual()), length(pair));
        }
    }

    @Rule(
            id = "ODP-06",
            text = "A datagram transfers bytes from on-demand memory to on-demand memory. Even if the kernel has"
                    + " removed or replaced pages, the transfer reads and writes the memory that the processes see.",
            source = "ibv_reg_mr(3) (IBV_ACCESS_ON_DEMAND); ibv_query_device_ex(3) (ud_odp_caps)",
            needs = {Capability.UD, Capability.MANUAL_CONNECT, Capability.ON_DEMAND_PAGING},
            lookAt = {"whether a datagram is dropped if its receive causes a page fault"})
    default void aDatagramTransfersOnDemandMemory() {
        try (Pair pair = pair()) {
            assumeClaimed(pair, QpType.UD, OdpOperation.SEND, OdpOperation.RECV);
            Shape shape = shape(pair).withType(QpType.UD);
            Pair.Ends ends = pair.unconnected(shape, shape);
            States.ready(pair, ends);
            Datagrams datagrams = Datagrams.of(ends.requester(), ends.responder());
            assertTransfers(ends.requester().memory(), ends.responder().memory(), Datagrams.GRH, 200, () -> {
                ends.responder().receive(1, 0, 256);
                ends.requester().send(datagrams.send(2, 200));
                ends.requester().sends().awaitIds(2L);
                ends.responder().receives().awaitIds(1L);
            });
        }
    }

    @Rule(
            id = "ODP-07",
            text = "A SEND on an unreliable connection transfers bytes from on-demand memory to on-demand memory. Even"
                    + " if the kernel has removed or replaced pages, the transfer reads and writes the memory that the"
                    + " processes see.",
            source = "ibv_reg_mr(3) (IBV_ACCESS_ON_DEMAND); ibv_query_device_ex(3) (uc_odp_caps)",
            needs = {Capability.UC, Capability.MANUAL_CONNECT, Capability.ON_DEMAND_PAGING},
            lookAt = {"whether a UC queue pair drops a SEND whose receive buffer causes a page fault"})
    default void anUnreliableSendTransfersOnDemandMemory() {
        try (Pair pair = pair()) {
            assumeClaimed(pair, QpType.UC, OdpOperation.SEND, OdpOperation.RECV);
            assertSends(pair.connected(shape(pair).withType(QpType.UC)), length(pair));
        }
    }

    @Rule(
            id = "ODP-08",
            text = "An ATOMIC_WRITE from and to on-demand memory transfers its eight bytes, even after the kernel has"
                    + " removed or replaced the page of the memory.",
            source = "ibv_reg_mr(3) (IBV_ACCESS_ON_DEMAND); ibv_query_device_ex(3) (IBV_ODP_SUPPORT_ATOMIC_WRITE)",
            needs = {Capability.RC, Capability.ATOMIC_WRITE, Capability.ON_DEMAND_PAGING},
            lookAt = {"the page fault of an ATOMIC_WRITE"})
    default void anAtomicWriteTransfersOnDemandMemory() {
        try (Pair pair = pair()) {
            assumeClaimed(pair, QpType.RC, OdpOperation.ATOMIC_WRITE, OdpOperation.ATOMIC_WRITE);
            Pair.Ends ends = pair.connected(shape(pair));
            End requester = ends.requester();
            assertTransfers(requester.memory(), ends.responder().memory(), 0, Long.BYTES, () -> {
                requester.send(Send.atomicWrite(1, ends.responder().at(0)).from(requester.sge(0, Long.BYTES)));
                requester.sends().awaitIds(1L);
            });
        }
    }

    @Rule(
            id = "ODP-09",
            text = "A FLUSH of on-demand memory completes, and the bytes of the RDMA WRITEs before the FLUSH are in"
                    + " place, even after the kernel has removed or replaced pages of the memory.",
            source = "ibv_reg_mr(3) (IBV_ACCESS_ON_DEMAND); ibv_query_device_ex(3) (IBV_ODP_SUPPORT_FLUSH)",
            needs = {Capability.RC, Capability.FLUSH, Capability.ON_DEMAND_PAGING},
            lookAt = {"the page fault of a FLUSH"})
    default void aFlushReachesOnDemandMemory() {
        try (Pair pair = pair()) {
            assumeClaimed(pair, QpType.RC, OdpOperation.WRITE, OdpOperation.FLUSH);
            Pair.Ends ends = pair.connected(
                    shape(
                            pair,
                            AccessFlag.ON_DEMAND,
                            AccessFlag.LOCAL_WRITE,
                            AccessFlag.REMOTE_WRITE,
                            AccessFlag.FLUSH_GLOBAL),
                    Connection.usual()
                            .withAccess(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.FLUSH_GLOBAL));
            int length = length(pair);
            Send.Flush range = new Send.Flush(length, FlushTarget.RANGE, FlushPlacement.GLOBAL);
            assertWrites(ends, length, Send.flush(2, ends.responder().at(0), range));
        }
    }

    @Rule(
            id = "ODP-10",
            text = "An implicit region also covers memory that was allocated after the registration of the region:"
                    + " local receives and the peer's RDMA WRITEs can write to this memory.",
            source = "ibv_reg_mr(3) (IBV_ACCESS_ON_DEMAND); ibv_query_device_ex(3) (IBV_ODP_SUPPORT_IMPLICIT)",
            needs = {Capability.RC, Capability.IMPLICIT_ON_DEMAND_PAGING},
            lookAt = {"the translation of an address for which the implicit region has no translation yet"})
    default void anImplicitRegionCoversLaterMemory() {
        try (Pair pair = pair()) {
            assumeClaimed(pair, QpType.RC, OdpOperation.WRITE, OdpOperation.WRITE);
            assumeClaimed(pair, QpType.RC, OdpOperation.SEND, OdpOperation.RECV);
            Pair.Ends ends = pair.connected(shape(pair));
            End requester = ends.requester();
            End responder = ends.responder();
            int length = length(pair);
            Region all = responder
                    .pd()
                    .registerImplicit(responder.memory(), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            Memory later = Memory.allocate(pair.second(), 4 * page(pair));
            long address = addressOf(later, responder);
            assertTransfers(requester.memory(), later, 0, length, () -> {
                requester.send(Send.write(1, address, all.rkey()).from(requester.sge(0, length)));
                requester.sends().awaitIds(1L);
            });
            assertTransfers(requester.memory(), later, 0, length, () -> {
                responder.qp().receive(Receive.of(1).into(all.sge(address, length)));
                requester.send(2, 0, length);
                requester.sends().awaitIds(2L);
                responder.receives().awaitIds(1L);
            });
        }
    }

    private static long addressOf(Memory memory, End end) {
        Region region = end.pd().register(memory);
        region.close();
        return region.address();
    }
}
