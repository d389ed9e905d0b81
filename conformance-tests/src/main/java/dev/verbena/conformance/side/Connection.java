// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import java.util.Set;

/**
 * The settings of a connection between two queue pairs, and the calls of {@code modify} that apply these settings.
 * Immutable.
 *
 * @param mtu the requested path MTU; a port may support only a smaller one
 * @param firstPsn the first PSN that the requester's queue pair sends (sq_psn)
 * @param secondPsn the first PSN that the responder's queue pair sends (sq_psn)
 * @param readDepth the maximum number of outstanding RDMA READs and atomics
 */
public record Connection(
        PathMtu mtu, Psn firstPsn, Psn secondPsn, Repetition repetition, Set<AccessFlag> access, int readDepth) {
    public record Repetition(AckTimeout ackTimeout, int retries, RnrRetryCount rnrRetries, RnrTimer rnrTimer) {}

    /** Returns the settings of most conformance rules: short timers, remote reads and writes, unlimited RNR retries. */
    public static Connection usual() {
        return new Connection(
                PathMtu.MTU_1024,
                Psn.of(0x12_3456),
                Psn.of(0x65_4321),
                new Repetition(AckTimeout.ofCode(14), 7, RnrRetryCount.FOREVER, RnrTimer.ofCode(12)),
                Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ),
                4);
    }

    public Connection withMtu(PathMtu value) {
        return new Connection(value, firstPsn, secondPsn, repetition, access, readDepth);
    }

    public Connection withPsns(int first, int second) {
        return new Connection(mtu, Psn.of(first), Psn.of(second), repetition, access, readDepth);
    }

    public Connection withRetries(AckTimeout timeout, int count) {
        return with(new Repetition(timeout, count, repetition.rnrRetries, repetition.rnrTimer));
    }

    public Connection withRnr(RnrRetryCount count, RnrTimer timer) {
        return with(new Repetition(repetition.ackTimeout, repetition.retries, count, timer));
    }

    private Connection with(Repetition value) {
        return new Connection(mtu, firstPsn, secondPsn, value, access, readDepth);
    }

    public Connection withAccess(AccessFlag... value) {
        return new Connection(mtu, firstPsn, secondPsn, repetition, Set.of(value), readDepth);
    }

    public Connection withReadDepth(int value) {
        return new Connection(mtu, firstPsn, secondPsn, repetition, access, value);
    }

    /** Returns these settings with the roles of the two queue pairs exchanged. */
    Connection reversed() {
        return new Connection(mtu, secondPsn, firstPsn, repetition, access, readDepth);
    }

    /** Modifies both queue pairs to RTS: first the responder's, which must be in RTR before the first packet arrives. */
    public void establish(Qp first, Qp second) {
        reversed().toRts(second, first);
        toRts(first, second);
    }

    /** Modifies a queue pair in RESET or INIT to RTS. */
    public void toRts(Qp qp, Qp peer) {
        if (qp.state() == QpState.RESET) {
            qp.modify(init(qp));
        }
        qp.modify(rtr(qp, peer));
        qp.modify(rts(qp));
    }

    /** Modifies the responder's queue pair to RTR, in which it receives and responds, but sends no request packets. */
    public void secondToRtr(Qp second, Qp first) {
        second.modify(init(second));
        second.modify(reversed().rtr(second, first));
    }

    public QpAttributes init(Qp qp) {
        int port = qp.side().facts().source().port();
        return QpAttributes.toInit(port, 0, access.toArray(AccessFlag[]::new));
    }

    public QpAttributes rtr(Qp qp, Qp peer) {
        QpAttributesBuilder attributes = QpAttributes.builder()
                .state(QpState.RTR)
                .addressVector(pathTo(qp.side(), peer.side()))
                .pathMtu(effectiveMtu(qp.side(), peer.side()))
                .destinationQpn(peer.number())
                .rqPsn(secondPsn);
        if (qp.type() == QpType.RC) {
            attributes
                    .maxDestRdAtomic(
                            Math.min(readDepth, qp.side().facts().attributes().maxQpRdAtom()))
                    .minRnrTimer(repetition.rnrTimer);
        }
        return attributes.build();
    }

    public QpAttributes rts(Qp qp) {
        QpAttributesBuilder attributes =
                QpAttributes.builder().state(QpState.RTS).sqPsn(firstPsn);
        if (qp.type() == QpType.RC) {
            attributes
                    .ackTimeout(repetition.ackTimeout)
                    .retryCount(repetition.retries)
                    .rnrRetryCount(repetition.rnrRetries)
                    .maxRdAtomic(
                            Math.min(readDepth, qp.side().facts().attributes().maxQpInitRdAtom()));
        }
        return attributes.build();
    }

    /** Returns the minimum of the requested path MTU and the active MTUs of both ports. */
    public PathMtu effectiveMtu(Side first, Side second) {
        return PathMtu.min(
                mtu,
                PathMtu.min(
                        first.facts().port().activeMtu(), second.facts().port().activeMtu()));
    }

    /** Returns the address vector for the port of the peer's device. */
    static AddressVector pathTo(Side side, Side peer) {
        Facts facts = side.facts();
        boolean ethernet = facts.port().linkLayer() == LinkLayer.ETHERNET;
        AddressVector.Builder path = ethernet || facts.port().grhRequired()
                ? AddressVector.toGid(
                        peer.facts().source().gid(), facts.source().index())
                        .toBuilder()
                : AddressVector.builder();
        return path.port(facts.source().port())
                .destinationLid(ethernet ? 0 : peer.facts().port().lid())
                .build();
    }

    @Override
    public String toString() {
        return mtu + ", packet numbers from " + firstPsn + " and " + secondPsn + ", timeout " + repetition.ackTimeout
                + ", "
                + repetition.retries
                + " retries, RNR timer " + repetition.rnrTimer + " and retries " + repetition.rnrRetries + ", rights "
                + access + ", "
                + readDepth
                + " READs at once";
    }
}
