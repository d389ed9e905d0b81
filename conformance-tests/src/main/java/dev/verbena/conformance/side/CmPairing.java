// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.QpType;
import java.util.function.Function;

/**
 * Connects queue pairs through the connection manager. Some devices cannot connect queue pairs by {@code modify}: iWARP
 * devices, and the devices of providers that create queue pairs only for connection ids. The connection manager chooses
 * the path MTU, the PSNs, the RNR timer and the access rights.
 */
final class CmPairing {
    private static final int BACKLOG = 4;

    private CmPairing() {}

    static Pair.Ends connect(
            Pair pair, Function<Id, End> requester, Function<Id, End> responder, Connection connection) {
        requirePossible(connection);
        CmChannel passive = CmChannel.open(pair.second());
        Id listener = passive.id(PortSpace.TCP);
        listener.bind(0);
        listener.listen(BACKLOG);
        CmChannel active = CmChannel.open(pair.first());
        Id id = active.id(PortSpace.TCP);
        id.resolveAddress(pair.second(), listener.port());
        active.expect(CmEventType.ADDR_RESOLVED);
        id.resolveRoute();
        active.expect(CmEventType.ROUTE_RESOLVED);
        End first = requester.apply(id);
        requireReliable(first);
        id.connect(numbers(connection, pair.first()));
        Id asked = passive.expectRequest().id();
        End second = responder.apply(asked);
        asked.accept(numbers(connection, pair.second()));
        active.expect(CmEventType.ESTABLISHED);
        passive.expect(CmEventType.ESTABLISHED);
        listener.close();
        return new Pair.Ends(first, second);
    }

    private static CmNumbers numbers(Connection connection, Side side) {
        int depth = Math.min(
                connection.readDepth(),
                Math.min(
                        side.facts().attributes().maxQpRdAtom(),
                        side.facts().attributes().maxQpInitRdAtom()));
        return CmNumbers.usual()
                .withDepths(depth, depth)
                .withRetries(
                        connection.repetition().retries(),
                        connection.repetition().rnrRetries().code());
    }

    /** If a rule needs settings that the connection manager does not support, the rule must require MANUAL_CONNECT. */
    private static void requirePossible(Connection wanted) {
        Connection usual = Connection.usual();
        boolean possible = wanted.firstPsn().equals(usual.firstPsn())
                && wanted.secondPsn().equals(usual.secondPsn())
                && wanted.repetition().rnrTimer().equals(usual.repetition().rnrTimer())
                && wanted.repetition().ackTimeout().equals(usual.repetition().ackTimeout())
                && wanted.access().containsAll(usual.access());
        if (!possible) {
            throw new IllegalStateException("a connection manager cannot establish this connection: " + wanted);
        }
    }

    private static void requireReliable(End end) {
        if (end.qp().type() != QpType.RC) {
            throw new IllegalStateException("no connection manager connects queue pairs of type "
                    + end.qp().type());
        }
    }
}
