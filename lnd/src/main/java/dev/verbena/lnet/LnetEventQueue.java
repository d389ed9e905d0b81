// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Keeps events, in order, until the program takes them; the alternative to a {@link LnetEventHandler}, which a thread
 * of the provider calls. A queue may serve descriptors of several nodes of one runtime, and keeps their events after
 * the nodes are closed. A queue has no limit: a program that takes no events fills the memory. The method {@link #poll}
 * may be called from any thread, also from a handler. The method {@link #await} may be called from the threads that may
 * wait in the runtime; under virtual time this is the driving thread. Source: LNet's event queues, {@code LNetEQAlloc}
 * to {@code LNetEQPoll}, which Lustre had until 2.13.
 */
public final class LnetEventQueue {
    private final VerbsRuntime runtime;
    private final Queue<LnetEvent> events = new ConcurrentLinkedQueue<>();

    /**
     * Makes an empty queue.
     *
     * @param runtime of the nodes whose descriptors name it, see {@link Lnet#runtime()}; with another one {@link #await} sees their
     *     events late, or not before its time has run out
     */
    public LnetEventQueue(VerbsRuntime runtime) {
        this.runtime = runtime;
    }

    /**
     * Takes the next event, if there is one. It makes nothing happen: under virtual time a program has to {@link #await}.
     *
     * @return the event, or empty
     */
    public Optional<LnetEvent> poll() {
        return Optional.ofNullable(events.poll());
    }

    /**
     * Takes the next event, and waits for it as {@link VerbsRuntime#await} does, with its errors. Closing a node does
     * not wake a waiting thread, since the descriptors that are still attached report no further event.
     *
     * @param timeout how long at most, in the time of the runtime; zero polls once
     * @return the event, or empty if the time ran out or the runtime is closed
     * @throws InterruptedException if the thread was interrupted; no event is lost
     * @throws IllegalStateException when called from a handler, which may not wait
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

    /** Under the lock of the node's owner, as this runs nothing of the program. */
    void add(LnetEvent event) {
        events.add(event);
        runtime.wakeUp();
    }

    @Override
    public String toString() {
        return "LNet event queue with " + events.size() + " events";
    }
}
