// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.PortSpace;
import java.time.Duration;
import java.util.List;

public final class CmChannel extends SideObject {
    /** The minimum handle of connection ids from connection requests. Handles of other objects are below this number. */
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

    /** Waits for the next CM event. Fails if no event arrives in time, or if the event is not of the given type. */
    public CmEventRecord expect(CmEventType type) {
        return expect(type, side().waiting().patience());
    }

    public CmEventRecord expect(CmEventType type, Duration patience) {
        List<CmEventRecord> found = await(1, patience);
        if (found.isEmpty()) {
            fail("no event arrived within " + patience + "; " + type + " was expected");
        }
        assertEquals(type, found.getFirst().type(), () -> "type of the event " + found.getFirst());
        return found.getFirst();
    }

    /** Waits for the next connection request. */
    public Requested expectRequest() {
        return expectRequest(side().waiting().patience());
    }

    public Requested expectRequest(Duration patience) {
        CmEventRecord request = expect(CmEventType.CONNECT_REQUEST, patience);
        return new Requested(new Id(side(), request.id()), request);
    }

    /**
     * A connection request that a peer has sent.
     *
     * @param id the connection id that the connection request created
     */
    public record Requested(Id id, CmEventRecord request) {}

    /** Returns the pending CM events, and those that arrive within the duration {@link Side.Waiting#silence}. */
    public List<CmEventRecord> inSilence() {
        return await(Integer.MAX_VALUE, side().waiting().silence());
    }

    /** Returns the pending CM events, and those that arrive within the given time. */
    public List<CmEventRecord> within(Duration time) {
        return await(Integer.MAX_VALUE, time);
    }

    private List<CmEventRecord> await(int count, Duration patience) {
        Reply reply =
                side().perform(new Step.Manage(new CmStep.AwaitEvents(handle(), count, nextMadeByPeers, patience)));
        List<CmEventRecord> found = ((Reply.CmEvents) reply).list();
        nextMadeByPeers += found.size();
        return found;
    }
}
