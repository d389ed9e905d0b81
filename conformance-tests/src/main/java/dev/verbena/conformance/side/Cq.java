// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.verbena.verbs.Notification;
import java.util.List;

public final class Cq extends SideObject {
    private int capacity;

    private Cq(Side side, int handle, int capacity) {
        super(side, handle);
        this.capacity = capacity;
    }

    public static Cq open(Side side, int capacity) {
        return open(side, capacity, 0, Step.Announce.NOT);
    }

    public static Cq open(Side side, int capacity, int vector, Step.Announce announce) {
        int handle = side.newHandle();
        Reply.Count granted = (Reply.Count) side.perform(new Step.OpenCq(handle, capacity, vector, announce));
        return new Cq(side, handle, (int) granted.value());
    }

    public int capacity() {
        return capacity;
    }

    public List<Completion> poll(int most) {
        return ((Reply.Completions) side().perform(new Step.Poll(handle(), most))).list();
    }

    /** Waits for a number of completions; fails if fewer completions arrive in time. */
    public List<Completion> await(int count) {
        List<Completion> found = ((Reply.Completions) side().perform(
                                new Step.Await(handle(), count, side().waiting().patience())))
                .list();
        if (found.size() < count) {
            fail("only " + found.size() + " of " + count + " requests of " + this + " completed within "
                    + side().waiting().patience() + ": " + found);
        }
        return found;
    }

    /** Waits for successful completions with exactly these ids in this order; fails after any other completion. */
    public void awaitIds(Long... ids) {
        List<Completion> found = await(ids.length);
        assertEquals(List.of(ids), Completion.ids(found), () -> "completions of " + this + ": " + found);
        for (Completion completion : found) {
            if (!completion.status().isSuccess()) {
                fail("request " + completion.id() + " ended with " + completion.status());
            }
        }
    }

    /** Checks that the completion queue is empty, and stays empty for the time {@link Side.Waiting#silence}. */
    public void assertQuiet() {
        assertEquals(List.of(), inSilence(), () -> "unexpected completions of " + this);
    }

    /** Returns the completions that are in the queue or arrive within the time {@link Side.Waiting#silence}. */
    public List<Completion> inSilence() {
        return ((Reply.Completions) side().perform(new Step.Await(
                        handle(), Integer.MAX_VALUE, side().waiting().silence())))
                .list();
    }

    public void arm(Notification kind) {
        side().perform(new Step.Arm(handle(), kind));
    }

    /** Waits until the queue has raised the given number of completion events; returns the total number of events. */
    public long awaitCompletionEvents(int count) {
        return completionEvents(
                new Step.AwaitCompletionEvents(handle(), count, side().waiting().patience()));
    }

    /**
     * Waits for {@link Side.Waiting#silence}, then returns the number of completion events since the creation of the
     * completion queue.
     */
    public long completionEventsInSilence() {
        side().silence();
        return completionEvents(
                new Step.AwaitCompletionEvents(handle(), 0, side().waiting().silence()));
    }

    private long completionEvents(Step step) {
        return ((Reply.Count) side().perform(step)).value();
    }

    public void resize(int wanted) {
        capacity = (int) ((Reply.Count) side().perform(new Step.ResizeCq(handle(), wanted))).value();
    }
}
