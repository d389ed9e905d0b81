// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.PortSpace;
import java.time.Duration;
import java.util.List;

/** An event channel of a side, with ids of its own. */
public final class CmChannel extends Thing {
    /** Ids that peers make get handles from here on, which no other object has. */
    private static final int FIRST_MADE_BY_PEERS = 1_000_000;

    private int nextMadeByPeers = FIRST_MADE_BY_PEERS;

    private CmChannel(Side side, int handle) {
        super(side, handle);
        nextMadeByPeers += handle * 1000;
    }

    public static CmChannel open(Side side) {
        int handle = side.newHandle();
        side.perform(new Step.Manage(new CmStep.OpenChannel(handle)));
        return new CmChannel(side, handle);
    }

    public Id id(PortSpace portSpace) {
        int handle = side().newHandle();
        side().perform(new Step.Manage(new CmStep.OpenId(handle, handle(), portSpace)));
        return new Id(side(), handle);
    }

    /** The next event, which must come, and be of a type. */
    public CmHappening expect(CmEventType type) {
        return expect(type, side().waiting().patience());
    }

    public CmHappening expect(CmEventType type, Duration patience) {
        List<CmHappening> found = await(1, patience);
        if (found.isEmpty()) {
            fail("no event came within " + patience + ", where " + type + " was expected");
        }
        assertEquals(type, found.getFirst().type(), () -> "type of the event " + found.getFirst());
        return found.getFirst();
    }

    /** The next request of a peer, and the id that it made. */
    public Requested expectRequest() {
        return expectRequest(side().waiting().patience());
    }

    public Requested expectRequest(Duration patience) {
        CmHappening request = expect(CmEventType.CONNECT_REQUEST, patience);
        return new Requested(new Id(side(), request.id()), request);
    }

    /**
     * A request of a peer.
     *
     * @param id the id that it made
     * @param request the event
     */
    public record Requested(Id id, CmHappening request) {}

    /** Takes the events that came, and those that come while nothing should. */
    public List<CmHappening> inSilence() {
        return await(Integer.MAX_VALUE, side().waiting().silence());
    }

    /** Takes the events that come within a time. */
    public List<CmHappening> within(Duration time) {
        return await(Integer.MAX_VALUE, time);
    }

    private List<CmHappening> await(int count, Duration patience) {
        Reply reply =
                side().perform(new Step.Manage(new CmStep.AwaitEvents(handle(), count, nextMadeByPeers, patience)));
        List<CmHappening> found = ((Reply.Happenings) reply).list();
        nextMadeByPeers += found.size();
        return found;
    }
}
