// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.SrqAttributes;
import java.util.List;

public final class Srq extends SideObject {
    private final SrqAttributes granted;

    Srq(Side side, int handle, SrqAttributes granted) {
        super(side, handle);
        this.granted = granted;
    }

    public SrqAttributes granted() {
        return granted;
    }

    public Reply.Posted post(Receive... requests) {
        return (Reply.Posted) side().perform(new Step.PostReceive(handle(), List.of(requests)));
    }

    /** Posts receives to the shared receive queue. Fails if a receive is refused. */
    public void receive(Receive... requests) {
        post(requests).assertAll(requests);
    }

    public void armLimit(int limit) {
        side().perform(new Step.ArmSrq(handle(), limit));
    }

    public void resize(int maxWr) {
        side().perform(new Step.ResizeSrq(handle(), maxWr));
    }

    public SrqAttributes query() {
        return ((Reply.SrqFacts) side().perform(new Step.QuerySrq(handle()))).attributes();
    }
}
