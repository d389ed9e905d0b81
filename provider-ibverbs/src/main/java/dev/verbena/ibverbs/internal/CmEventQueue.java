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
 * The queue of a channel's events, with the rules of {@link EventQueue} and without events of closed ids. May be used
 * from several threads.
 */
public final class CmEventQueue<E extends CmEventQueue.Entry> {
    /**
     * The number of waiting events at which the reader stops reading. {@code ucma_get_event} ends an event's place in
     * the backlog of its listener, so without this limit a peer could fill the memory of an application that polls no
     * events.
     */
    public static final int MOST_WAITING = 64;

    private final EventQueue<E> events;
    private final Runnable onRoom;

    /** Whether the reader has stopped. The thread that frees half of the queue's places clears this field. */
    private volatile boolean full;

    /** An event that the application may take. */
    public interface Entry extends CmEvent {
        /**
         * Returns whether the event is stale: its id, or the id of the connection request, was closed before the
         * application took the event.
         */
        boolean isStale();

        /** Discards an event that the application will not take. A connection request is rejected. */
        void drop();

        /** Records that the application took the event, and must acknowledge it before the id can be closed. */
        void taken();
    }

    /** Creates an empty queue. {@code onRoom} is called when {@link #isFull} changes from true to false. */
    public CmEventQueue(String channel, Runnable onRoom) {
        this.onRoom = onRoom;
        events = new EventQueue<>("rdma_get_cm_event", channel);
    }

    /**
     * Returns whether the reader must stop reading: from {@link #MOST_WAITING} waiting events on, until the application
     * has taken half of them.
     */
    public boolean isFull() {
        if (!full && events.size() >= MOST_WAITING) {
            full = true;
            // A thread that took events before {@code full} was set did not clear {@code full}, so it is cleared at
            // this point. {@code full} is not set again, because another thread may have cleared it meanwhile.
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

    /** Adds an event as the last one, and delivers it. */
    public void deliver(E event) {
        enqueue(event);
        handOver();
    }

    /** Adds an event as the last one. The caller calls {@link #handOver} later, when it holds no lock. */
    public void enqueue(E event) {
        events.enqueue(event);
    }

    /** Drops the stale events, and then does the same as {@link EventQueue#handOver}. */
    public void handOver() {
        dropStale();
        events.handOver();
    }

    /** Passes an event to the handler, which may close the id. */
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

    /** Sets the handler, which receives the queued events first; with null, later events are queued. */
    public void setHandler(@Nullable CmEventHandler newHandler) {
        events.setHandler(newHandler == null ? null : event -> hand(event, newHandler));
    }

    /** Returns the oldest event that is not stale, or empty. Throws {@code EBADF} if the queue is closed. */
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

    /** Waits up to {@code timeout} for an event that is not stale. Throws {@code EBADF} if the queue is closed. */
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

    /** Returns a stage that completes when there is an event to poll. */
    public CompletionStage<Void> ready() {
        return events.ready();
    }

    /**
     * Returns the source of a pipe that is readable while there is an event to poll. Throws {@code EBADF} if the queue
     * is closed, or if the system refuses the pipe.
     */
    public SelectableChannel selectable() throws VerbsException {
        return events.selectable();
    }

    private Optional<CmEvent> taken(Optional<E> event) {
        event.ifPresent(Entry::taken);
        return event.map(CmEvent.class::cast);
    }

    /** Removes the selected events that the application has not taken, and returns them in order. */
    public List<E> remove(Predicate<E> which) {
        List<E> removed = events.remove(which);
        eventsLeft();
        return removed;
    }

    /** Removes the events of closed ids that the application has not taken. */
    public void dropStale() {
        remove(Entry::isStale).forEach(Entry::drop);
    }

    /** Wakes the threads that wait for an event. */
    public void close() {
        events.close();
    }
}
