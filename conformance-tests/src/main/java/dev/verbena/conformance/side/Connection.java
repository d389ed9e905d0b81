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
 * The settings of a connection between two queue pairs, equal for both except for the packet numbers, and the modifies
 * that apply them. Immutable.
 *
 * @param mtu the requested path MTU; the ports may carry less
 * @param firstPsn the first packet number of the first side
 * @param secondPsn the first packet number of the second side
 * @param repetition when and how often a packet is repeated
 * @param access the rights that the queue pairs grant the peer
 * @param readDepth READs and atomics at once
 */
public record Connection(
        PathMtu mtu, Psn firstPsn, Psn secondPsn, Repetition repetition, Set<AccessFlag> access, int readDepth) {
    /**
     * When and how often a packet is repeated.
     *
     * @param ackTimeout how long to wait for an acknowledgement
     * @param retries how often to repeat a packet that is not acknowledged
     * @param rnrRetries how often to repeat while no receive is posted
     * @param rnrTimer how long a peer is to wait while no receive is posted
     */
    public record Repetition(AckTimeout ackTimeout, int retries, RnrRetryCount rnrRetries, RnrTimer rnrTimer) {}

    /** The settings for most rules: short timers, all rights, RNR retries without a limit. */
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

    /** The same as the second side sees it. */
    Connection reversed() {
        return new Connection(mtu, secondPsn, firstPsn, repetition, access, readDepth);
    }

    /** Brings both to RTS by exchanging numbers. The responding side first, so that nothing is lost at the start. */
    public void establish(Qp first, Qp second) {
        reversed().toRts(second, first);
        toRts(first, second);
    }

    /** Brings one side to RTS, from RESET or INIT. */
    public void toRts(Qp qp, Qp peer) {
        if (qp.state() == QpState.RESET) {
            qp.modify(init(qp));
        }
        qp.modify(rtr(qp, peer));
        qp.modify(rts(qp));
    }

    /** Brings the second side as far as RTR: it receives and answers, but does not send. */
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

    /** Returns the path MTU in use: the requested one, or less if a port carries less. */
    public PathMtu effectiveMtu(Side first, Side second) {
        return PathMtu.min(
                mtu,
                PathMtu.min(
                        first.facts().port().activeMtu(), second.facts().port().activeMtu()));
    }

    /** The address of the other side, as this one's port is wired. */
    static AddressVector pathTo(Side side, Side peer) {
        Facts facts = side.facts();
        int port = facts.source().port();
        return facts.port().linkLayer() == LinkLayer.ETHERNET
                ? AddressVector.toGid(
                                peer.facts().source().gid(), facts.source().index())
                        .toBuilder()
                        .port(port)
                        .build()
                : AddressVector.builder()
                        .port(port)
                        .destinationLid(peer.facts().port().lid())
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
