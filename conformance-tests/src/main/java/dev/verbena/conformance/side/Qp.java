// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.List;

public final class Qp extends SideObject {
    private static final int STATE_CHECKS = 50;

    private final QpType type;
    private final Cq sends;
    private final Cq receives;
    private final Reply.QpFacts facts;

    Qp(Side side, int handle, QpType type, Cq sends, Cq receives, Reply.QpFacts facts) {
        super(side, handle);
        this.type = type;
        this.sends = sends;
        this.receives = receives;
        this.facts = facts;
    }

    public QpType type() {
        return type;
    }

    public int number() {
        return facts.number();
    }

    public QpCapabilities capabilities() {
        return facts.capabilities();
    }

    public Cq sends() {
        return sends;
    }

    public Cq receives() {
        return receives;
    }

    public QpState state() {
        return ((Reply.State) side().perform(new Step.AskState(handle()))).state();
    }

    public void modify(QpAttributes attributes) {
        side().perform(new Step.Modify(handle(), attributes));
    }

    public QpAttributes query() {
        return ((Reply.Attributes) side().perform(new Step.Query(handle()))).attributes();
    }

    public Reply.Posted post(Send... requests) {
        return (Reply.Posted) side().perform(new Step.PostSend(handle(), List.of(requests)));
    }

    /** Posts send requests; fails if one of them is refused. */
    public void send(Send... requests) {
        post(requests).assertAll(requests);
    }

    public Reply.Posted post(Receive... requests) {
        return (Reply.Posted) side().perform(new Step.PostReceive(handle(), List.of(requests)));
    }

    /** Posts receive requests; fails if one of them is refused. */
    public void receive(Receive... requests) {
        post(requests).assertAll(requests);
    }

    public void bind(long id, Send.Binding binding) {
        side().perform(new Step.Bind(handle(), binding, id));
    }

    public void attach(Gid group) {
        side().perform(new Step.Multicast(handle(), group, true));
    }

    public void detach(Gid group) {
        side().perform(new Step.Multicast(handle(), group, false));
    }

    /**
     * Checks that both completion queues are empty, and that no completion arrives within the time
     * {@link Side.Waiting#silence}.
     */
    public void assertQuiet() {
        sends.assertQuiet();
        receives.assertQuiet();
    }

    /**
     * Waits until the queue pair is in the expected state; fails after the timeout {@link Side.Waiting#patience}. A device
     * may report a completion in error before it moves the queue pair to ERR.
     */
    public void assertState(QpState expected) {
        QpState state = state();
        for (int i = 0; i < STATE_CHECKS && state != expected; i++) {
            side().pass(side().waiting().patience().dividedBy(STATE_CHECKS));
            state = state();
        }
        assertEquals(expected, state, () -> "state of " + this);
    }
}
