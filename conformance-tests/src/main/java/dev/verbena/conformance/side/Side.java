// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.junit.jupiter.api.Assertions.fail;

import dev.verbena.verbs.AsyncEventType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One of two sides, as rules drive it. All calls throw {@link Refused} where the provider threw. For one thread at a time. */
public final class Side implements AutoCloseable {
    private final Endpoint endpoint;
    private final Waiting waiting;
    private final Facts facts;
    private int nextHandle;

    /**
     * How long to wait.
     *
     * @param patience how long something that must happen may take
     * @param silence how long nothing must happen to count as nothing
     */
    public record Waiting(Duration patience, Duration silence) {}

    /** Takes over an endpoint, which is closed with the side, and also if it does not report its facts. */
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

    /** Waits for {@code count} events; fails if fewer come. */
    public List<Event> awaitEvents(int count) {
        List<Event> events = ((Reply.Events) perform(new Step.AwaitEvents(count, waiting.patience()))).list();
        if (events.size() < count) {
            fail("only " + events.size() + " of " + count + " asynchronous events came within " + waiting.patience()
                    + ": " + events);
        }
        return events;
    }

    /** Takes the events that came, and those that come while nothing should. */
    public List<Event> eventsInSilence() {
        return ((Reply.Events) perform(new Step.AwaitEvents(Integer.MAX_VALUE, waiting.silence()))).list();
    }

    /** Counts the events of a kind that came, and those that come while nothing should. */
    public long countInSilence(AsyncEventType type) {
        return eventsInSilence().stream().filter(event -> event.type() == type).count();
    }

    /** Lets time pass in which nothing should happen. */
    public void silence() {
        pass(waiting.silence());
    }

    public void pass(Duration time) {
        perform(new Step.Pass(time));
    }

    /** Executes each list of steps by a thread of its own; returns the polled completions. */
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
