// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A queue of events that a program polls, instead of a {@link LnetEventHandler} that a thread of the provider calls. A
 * queue may serve memory descriptors of several nodes of one runtime, and has their events also after the nodes are
 * closed. The queue is unbounded, so a program must poll it. {@link #poll} may be called from any thread and from
 * handlers, {@link #await} from threads that may block; under virtual time this is the driving thread. Source: {@code
 * LNetEQAlloc} to {@code LNetEQPoll}, which Lustre had until 2.13.
 */
public final class LnetEventQueue {
    private final VerbsRuntime runtime;
    private final Queue<LnetEvent> events = new ConcurrentLinkedQueue<>();

    /**
     * Creates an empty queue.
     *
     * @param runtime the runtime of the nodes that will use the queue, see {@link Lnet#runtime()}; with another
     *     runtime {@link #await} returns events late or never
     */
    public LnetEventQueue(VerbsRuntime runtime) {
        this.runtime = runtime;
    }

    /**
     * Returns the next event, if there is one. Under virtual time this method does not advance the time, so a program
     * must call {@link #await}.
     *
     * @return the event, or empty
     */
    public Optional<LnetEvent> poll() {
        return Optional.ofNullable(events.poll());
    }

    /**
     * Waits for the next event as {@link VerbsRuntime#await} does. Closing a node does not wake a waiting thread,
     * because memory descriptors that are still attached report no further event.
     *
     * @param timeout the longest time to wait, in the time of the runtime; zero polls once
     * @return the event, or empty if the timeout expired or the runtime is closed
     * @throws InterruptedException if the thread was interrupted; then no event is lost
     * @throws IllegalStateException when called from a handler, which must not block
     */
    public Optional<LnetEvent> await(Duration timeout) throws InterruptedException {
        @Nullable LnetEvent[] taken = new @Nullable LnetEvent[1];
        runtime.await(
                () -> {
                    taken[0] = events.poll();
                    return taken[0] != null;
                },
                timeout);
        return Optional.ofNullable(taken[0]);
    }

    /** {@code add} may be called under the lock of the node's owner, because it runs no code of the program. */
    void add(LnetEvent event) {
        events.add(event);
        runtime.wakeUp();
    }

    @Override
    public String toString() {
        return "LNet event queue with " + events.size() + " events";
    }
}
