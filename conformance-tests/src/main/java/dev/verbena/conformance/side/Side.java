// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.junit.jupiter.api.Assertions.fail;

import dev.verbena.verbs.AsyncEventType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One of the two devices of a rule. If a provider's call fails, methods throw {@link Refused}. Not thread-safe. */
public final class Side implements AutoCloseable {
    private final Endpoint endpoint;
    private final Waiting waiting;
    private final Facts facts;
    private int nextHandle;

    /**
     * How long a conformance rule waits for events.
     *
     * @param patience the maximum time that a rule waits for an event that it expects
     * @param silence the time for which a rule waits to check that no event arrives
     */
    public record Waiting(Duration patience, Duration silence) {}

    /**
     * Queries the attributes of the tested device. If the query fails, closes {@code endpoint}. Closing the new
     * {@code Side} also closes {@code endpoint}.
     */
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

    /** Waits for a number of asynchronous events; fails if fewer events arrive in time. */
    public List<Event> awaitEvents(int count) {
        List<Event> events = ((Reply.Events) perform(new Step.AwaitEvents(count, waiting.patience()))).list();
        if (events.size() < count) {
            fail("only " + events.size() + " of " + count + " asynchronous events came within " + waiting.patience()
                    + ": " + events);
        }
        return events;
    }

    /** Waits for the time {@link Waiting#silence}, then returns all asynchronous events that have arrived. */
    public List<Event> eventsInSilence() {
        return ((Reply.Events) perform(new Step.AwaitEvents(Integer.MAX_VALUE, waiting.silence()))).list();
    }

    /** Waits for {@link Waiting#silence}, then returns the number of asynchronous events of one type that have arrived. */
    public long countInSilence(AsyncEventType type) {
        return eventsInSilence().stream().filter(event -> event.type() == type).count();
    }

    /** Waits for {@link Waiting#silence}, during which no event should arrive. */
    public void silence() {
        pass(waiting.silence());
    }

    public void pass(Duration time) {
        perform(new Step.Pass(time));
    }

    /** Executes each list of verbs calls in its own thread, and returns the completions that the threads polled. */
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
