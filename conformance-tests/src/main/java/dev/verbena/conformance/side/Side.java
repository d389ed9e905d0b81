// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.junit.jupiter.api.Assertions.fail;

import dev.verbena.verbs.AsyncEventType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One of the two devices of a rule. Calls throw {@link Refused} on an exception of the provider. Not thread-safe. */
public final class Side implements AutoCloseable {
    private final Endpoint endpoint;
    private final Waiting waiting;
    private final Facts facts;
    private int nextHandle;

    /**
     * The waiting times of a rule.
     *
     * @param patience the longest time to wait for an expected event
     * @param silence the time to wait to show that an event does not happen
     */
    public record Waiting(Duration patience, Duration silence) {}

    /** Owns the endpoint from now on, and closes it if it does not report its facts. */
    public Side(Endpoint endpoint, Waiting waiting) {
        this.endpoint = endpoint;
        this.waiting = waiting;
        try {
            facts = ((Reply.Described) perform(new Step.AskFacts())).facts();
        } catch (RuntimeException refused) {
            try {
                endpoint.close();
            } catch (RuntimeException another) {
                refused.addSuppressed(another);
            }
            throw refused;
        }
    }

    public Facts facts() {
        return facts;
    }

    public Waiting waiting() {
        return waiting;
    }

    Reply perform(Step step) {
        Reply reply = endpoint.perform(step);
        if (reply instanceof Reply.Refusal refusal) {
            throw new Refused(refusal);
        }
        return reply;
    }

    int newHandle() {
        return nextHandle++;
    }

    /** Waits for {@code count} asynchronous events; fails if fewer arrive in time. */
    public List<Event> awaitEvents(int count) {
        List<Event> events = ((Reply.Events) perform(new Step.AwaitEvents(count, waiting.patience()))).list();
        if (events.size() < count) {
            fail("only " + events.size() + " of " + count + " asynchronous events came within " + waiting.patience()
                    + ": " + events);
        }
        return events;
    }

    /** Returns the pending asynchronous events, and the events that arrive during the waiting time for silence. */
    public List<Event> eventsInSilence() {
        return ((Reply.Events) perform(new Step.AwaitEvents(Integer.MAX_VALUE, waiting.silence()))).list();
    }

    /** Returns the number of events of a type, after the waiting time for silence. */
    public long countInSilence(AsyncEventType type) {
        return eventsInSilence().stream().filter(event -> event.type() == type).count();
    }

    /** Waits for {@link Waiting#silence}, in which no event should happen. */
    public void silence() {
        pass(waiting.silence());
    }

    public void pass(Duration time) {
        perform(new Step.Pass(time));
    }

    /** Executes each list of steps in a thread of its own; returns the polled completions. */
    public List<Completion> concurrently(List<List<Step>> lists) {
        return ((Reply.Completions) perform(new Step.Concurrently(new ArrayList<>(lists), waiting.patience()))).list();
    }

    @Override
    public String toString() {
        return facts.name();
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
