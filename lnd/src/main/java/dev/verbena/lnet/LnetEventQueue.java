// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A queue of LNet events that an application polls. Instead of an event queue, an application can use a {@link
 * LnetEventHandler}, which a thread of the provider calls. Memory descriptors of nodes with the same {@link VerbsRuntime}
 * may share a queue, which keeps their events after the nodes are closed. An LNet event queue grows without limit unless
 * the application polls it. Only a thread that may block may call {@link #await}; any thread and any handler may call
 * {@link #poll}. Under virtual time, only the thread that advances the virtual time may block. Source: the functions {@code
 * LNetEQAlloc} to {@code LNetEQPoll} of Lustre up to 2.13.
 */
public final class LnetEventQueue {
    private final VerbsRuntime runtime;
    private final Queue<LnetEvent> events = new ConcurrentLinkedQueue<>();

    /**
     * Creates an empty queue.
     *
     * @param runtime the {@link Lnet#runtime()} of the nodes that will use the queue; with another {@code VerbsRuntime},
     *     {@link #await} returns events late or never
     */
    public LnetEventQueue(VerbsRuntime runtime) {
        this.runtime = runtime;
    }

    /**
     * Removes the next event and returns it, without waiting. Under virtual time this method does not advance the time, so
     * an application must call {@link #await}.
     *
     * @return the event, or empty
     */
    public Optional<LnetEvent> poll() {
        return Optional.ofNullable(events.poll());
    }

    /**
     * Waits for the next event like {@link VerbsRuntime#await}. After a node is closed, its attached memory descriptors
     * report no further events, so a thread that waits for such an event is not woken.
     *
     * @param timeout the maximum time to wait, by the clock of the {@link VerbsRuntime}; with zero, the method polls once
     * @return the next event, or empty if the timeout expired or the nodes' {@link VerbsRuntime} is closed
     * @throws InterruptedException if the waiting thread was interrupted; no event is lost
     * @throws IllegalStateException if called from a handler, which must not block
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

    /** The caller may hold a lock of the node, because this method runs no code of the application. */
    void add(LnetEvent event) {
        events.add(event);
        runtime.wakeUp();
    }

    @Override
    public String toString() {
        return "LNet event queue with " + events.size() + " events";
    }
}
