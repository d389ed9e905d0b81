// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.PortSpace;
import dev.verbena.conformance.side.CmChannel;
import dev.verbena.conformance.side.CmNumbers;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Id;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Side;
import dev.verbena.verbs.QpType;

/** A listener on the passive side, and an event channel for the connection ids of the active side. */
record CmTalk(Side peer, PortSpace portSpace, CmChannel active, CmChannel passive, Id listener, int port) {
    static CmTalk of(Pair pair) {
        return of(pair, PortSpace.TCP, 10);
    }

    static CmTalk of(Pair pair, PortSpace portSpace, int backlog) {
        return of(pair.first(), pair.second(), portSpace, backlog);
    }

    static CmTalk of(Side side, Side peer, PortSpace portSpace, int backlog) {
        CmChannel active = CmChannel.open(side);
        CmChannel passive = CmChannel.open(peer);
        Id listener = passive.id(portSpace);
        listener.bind(0);
        listener.listen(backlog);
        return new CmTalk(peer, portSpace, active, passive, listener, listener.port());
    }

    private QpType type() {
        return portSpace == PortSpace.UDP ? QpType.UD : QpType.RC;
    }

    /** Creates a connection id on the active side, and resolves the peer's IP address and the route to the peer. */
    Id resolved() {
        Id id = active.id(portSpace);
        resolve(id);
        return id;
    }

    void resolve(Id id) {
        id.resolveAddress(peer, port);
        active.expect(CmEventType.ADDR_RESOLVED);
        id.resolveRoute();
        active.expect(CmEventType.ROUTE_RESOLVED);
    }

    record Half(Id id, End end) {}

    /** Returns a connection id that has sent a connection request. */
    Half asking(CmNumbers parameters) {
        Id id = resolved();
        End end = id.end(type());
        id.connect(parameters);
        return new Half(id, end);
    }

    /** Returns the connection id of the next connection request, with a queue pair. */
    Half asked() {
        Id id = passive.expectRequest().id();
        return new Half(id, id.end(type()));
    }

    record Connected(Half active, Half passive) {
        void assertAlive(long id) {
            ends().assertAlive(id);
        }

        Pair.Ends ends() {
            return new Pair.Ends(active.end(), passive.end());
        }
    }

    Connected connected() {
        return connected(CmNumbers.usual(), CmNumbers.usual());
    }

    Connected connected(CmNumbers asked, CmNumbers answered) {
        Half first = asking(asked);
        Half second = asked();
        second.id().accept(answered);
        active.expect(CmEventType.ESTABLISHED);
        passive.expect(CmEventType.ESTABLISHED);
        return new Connected(first, second);
    }
}
