// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static dev.verbena.conformance.rules.Checks.assertStatuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Qp;
import dev.verbena.conformance.side.Shape;
import dev.verbena.conformance.side.Side;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkCompletionStatus;

/** The rules of rule area LINK about the addressing of packets by GID and QPN. */
public interface LinkRules extends RuleSet {
    private static Qp inInit(Pair.Ends ends) {
        Qp qp = ends.requester().qp();
        qp.modify(Connection.usual().init(qp));
        return qp;
    }

    private static QpAttributes rtr(Pair.Ends ends, AddressVector vector) {
        return Connection.usual().rtr(ends.requester().qp(), ends.responder().qp()).toBuilder()
                .addressVector(vector)
                .build();
    }

    @Rule(
            id = "LINK-01",
            text = "On Ethernet, an address without a global route is refused with EINVAL, in a transition"
                    + " to RTR and in an address handle.",
            source = "ibv_create_ah(3) and ibv_modify_qp(3) (is_global); RoCE annex A16.5",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.ROCE},
            lookAt = {"the check for a global route on RoCE ports"})
    default void anAddressOnEthernetNeedsAGlobalRoute() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            Qp qp = inInit(ends);
            AddressVector local = AddressVector.builder()
                    .port(qp.side().facts().source().port())
                    .destinationLid(1)
                    .build();
            assertErrno(Errno.EINVAL, () -> qp.modify(rtr(ends, local)));
            qp.assertState(QpState.INIT);
            if (pair.first().facts().capabilities().contains(Capability.UD)) {
                assertErrno(Errno.EINVAL, () -> ends.requester().pd().ah(local));
            }
        }
    }

    @Rule(
            id = "LINK-02",
            text = "A source GID index without an entry in the GID table is refused with EINVAL.",
            source = "ibv_modify_qp(3) (sgid_index)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.ROCE},
            lookAt = {"the bounds check of the source GID index"})
    default void aMissingSourceGidIsRefused(@IntRange(min = 1, max = 50) int beyond) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            Qp qp = inInit(ends);
            int last = pair.first().facts().gids().stream()
                    .mapToInt(GidEntry::index)
                    .max()
                    .orElseThrow();
            AddressVector vector = AddressVector.toGid(
                            pair.second().facts().source().gid(), last + beyond)
                    .toBuilder()
                    .port(qp.side().facts().source().port())
                    .build();
            assertErrno(Errno.EINVAL, () -> qp.modify(rtr(ends, vector)));
            qp.assertState(QpState.INIT);
        }
    }

    @Rule(
            id = "LINK-03",
            text = "A request to a queue pair number that does not exist gets no response and completes"
                    + " with RETRY_EXC_ERR.",
            source = "IBTA volume 1, section 9.6.1.2",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether packets for unknown queue pair numbers are dropped"})
    default void aRequestToAMissingQueuePairGetsNoResponse(@IntRange(min = 2, max = 0xFF_FFFE) int number) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.unconnected(Shape.usual(), Shape.usual());
            assumeTrue(number != ends.responder().qp().number()
                    && number != ends.requester().qp().number());
            Qp qp = inInit(ends);
            Connection quick = Connection.usual().withRetries(AckTimeout.ofCode(8), 1);
            qp.modify(quick.rtr(qp, ends.responder().qp()).toBuilder()
                    .destinationQpn(number)
                    .build());
            qp.modify(quick.rts(qp));
            ends.requester().send(1, 0, 8);
            assertStatuses(ends.requester().sends(), WorkCompletionStatus.RETRY_EXC_ERR);
        }
    }

    @Rule(
            id = "LINK-04",
            text = "In each packet of a connection, the source address is the GID that the sender's source GID index"
                    + " names, and the destination address is the destination GID of the sender's path.",
            source = "RoCEv2 annex A17.3.1; ibv_modify_qp(3) (ah_attr)",
            rig = {Needs.TAP},
            lookAt = {"the choice of the source address on a port with several addresses"})
    default void packetsHaveTheAddressesOfThePath() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            Wire wire = Wire.tap(pair);
            ends.assertAlive(1);
            for (Wire.Seen seen : wire.all()) {
                boolean there = seen.packet().bth().destinationQpn()
                                == ends.responder().qp().number()
                        && seen.source().equals(pair.first().facts().source().gid());
                Side from = there ? pair.first() : pair.second();
                Side to = there ? pair.second() : pair.first();
                assertEquals(from.facts().source().gid(), seen.source(), "source address of a packet");
                assertEquals(to.facts().source().gid(), seen.destination(), "destination address of a packet");
            }
        }
    }
}
