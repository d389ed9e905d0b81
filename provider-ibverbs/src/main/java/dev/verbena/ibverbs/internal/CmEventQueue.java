// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventHandler;
import dev.verbena.verbs.VerbsException;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The events of a channel, by the rules of {@link EventQueue}, without those of ids that were closed. May be used from several
 * threads.
 *
 * @param <E> the provider's events
 */
public final class CmEventQueue<E extends CmEventQueue.Entry> {
    /**
     * How many events wait before no more are read: {@code ucma_get_event} ends an event's place in the backlog of its listener, so that a
     * peer could fill the memory of a program that takes none. The program gets later events after the waiting ones in any case.
     */
    public static final int MOST_WAITING = 64;

    private final EventQueue<E> events;
    private final Runnable onRoom;

    /** Set by the reader; cleared by the thread that takes the event at which half of the places are free. */
    private volatile boolean full;

    /** An event that the application may take. */
    public interface Entry extends CmEvent {
        /**
         * Returns whether the event is stale: one of its ids was closed.
         *
         * @return whether the id was closed, or the one that a request is for, before the application took this
         */
        boolean isStale();

        /** Ends an event that the application will not take; the peer that sent a request is rejected. */
        void drop();

        /** Notes that the application took it, which has to acknowledge it before the id can be closed. */
        void taken();
    }

    /**
     * Makes an empty queue.
     *
     * @param channel the name of the channel, for messages
     * @param onRoom called when events can be read again after {@link #isFull} returned true
     */
    public CmEventQueue(String channel, Runnable onRoom) {
        this.onRoom = onRoom;
        events = new EventQueue<>("rdma_get_cm_event", channel);
    }

    /**
     * Returns whether the reader must stop reading because {@link #MOST_WAITING} events wait. Called by the reader.
     *
     * @return true from {@link #MOST_WAITING} waiting events on, until the program has taken half of them
     */
    public boolean isFull() {
        if (!full && events.size() >= MOST_WAITING) {
            full = true;
            // A thread that took events before the mark was set did not clear it. Here the mark is only cleared, and
            // never set
            // again, because another thread may have cleared it meanwhile.
            if (hasRoom()) {
                full = false;
            }
        }
        return full;
    }

    private boolean hasRoom() {
        return events.size() <= MOST_WAITING / 2;
    }

    private void eventsLeft() {
        if (full && hasRoom()) {
            full = false;
            onRoom.run();
        }
    }

    /**
     * Passes an event on.
     *
     * @param event the event that was read
     */
    public void deliver(E event) {
        enqueue(event);
        handOver();
    }

    /**
     * Adds an event as the last one. The caller calls {@link #handOver} later, when it holds no lock.
     *
     * @param event the event that was read
     */
    public void enqueue(E event) {
        events.enqueue(event);
    }

    /** As {@link EventQueue#handOver}, after dropping the stale events. */
    public void handOver() {
        dropStale();
        events.handOver();
    }

    /** The handler may close the id. */
    private void hand(E event, CmEventHandler taker) {
        eventsLeft();
        if (event.isStale()) {
            event.drop();
            return;
        }
        try {
            taker.onCmEvent(event);
        } finally {
            event.close();
        }
    }

    /**
     * Sets the handler, which gets the queued events first.
     *
     * @param newHandler the handler, or null to queue them
     */
    public void setHandler(@Nullable CmEventHandler newHandler) {
        events.setHandler(newHandler == null ? null : event -> hand(event, newHandler));
    }

    /**
     * Takes an event if there is one.
     *
     * @return the oldest one that is not stale
     * @throws VerbsException {@code EBADF} once closed
     */
    public Optional<CmEvent> poll() throws VerbsException {
        events.requireOpen();
        Optional<E> event = events.poll();
        while (event.isPresent() && event.get().isStale()) {
            event.get().drop();
            event = events.poll();
        }
        eventsLeft();
        return taken(event);
    }

    /**
     * Waits for an event.
     *
     * @param timeout how long at most
     * @return the oldest one that is not stale
     * @throws VerbsException {@code EBADF} once closed
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<CmEvent> await(Duration timeout) throws VerbsException, InterruptedException {
        long start = System.nanoTime();
        Optional<E> event = events.await(timeout);
        while (event.isPresent() && event.get().isStale()) {
            event.get().drop();
            event = events.await(timeout.minusNanos(System.nanoTime() - start));
        }
        eventsLeft();
        return taken(event);
    }

    /**
     * Makes a stage that is complete as soon as there is an event to poll.
     *
     * @return a new stage
     */
    public CompletionStage<Void> ready() {
        return events.ready();
    }

    /**
     * Returns a channel for a selector.
     *
     * @return the source of a pipe, readable while there is an event to poll
     * @throws VerbsException {@code EBADF} once closed, or if there can be no pipe
     */
    public SelectableChannel selectable() throws VerbsException {
        return events.selectable();
    }

    private Optional<CmEvent> taken(Optional<E> event) {
        event.ifPresent(Entry::taken);
        return event.map(CmEvent.class::cast);
    }

    /**
     * Takes events out that the application has not taken.
     *
     * @param which those that go
     * @return the events, in order
     */
    public List<E> remove(Predicate<E> which) {
        List<E> removed = events.remove(which);
        eventsLeft();
        return removed;
    }

    /** Removes the events of closed ids that the application has not taken. */
    public void dropStale() {
        remove(Entry::isStale).forEach(Entry::drop);
    }

    /** Lets waiters go. */
    public void close() {
        events.close();
    }
}
