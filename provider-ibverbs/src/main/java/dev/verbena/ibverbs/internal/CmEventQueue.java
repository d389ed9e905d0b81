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

/** The CM events of a channel in an {@link EventQueue}, without events of closed connection ids. Thread-safe. */
public final class CmEventQueue<E extends CmEventQueue.Entry> {
    /**
     * When the queue contains this number of CM events, the thread that reads CM events pauses. Reading a connection
     * request frees a slot in the listener's backlog ({@code ucma_get_event}), so that the peer can send another request.
     * If the reading thread never paused, connection requests could fill the memory of an application that polls no events.
     */
    public static final int MOST_WAITING = 64;

    private final EventQueue<E> events;
    private final Runnable onRoom;

    /**
     * Whether the thread that reads CM events from librdmacm has stopped reading. A thread that removes events sets
     * {@code full} to false when the event queue is half empty.
     */
    private volatile boolean full;

    /** A CM event that is queued until the application receives it. */
    public interface Entry extends CmEvent {
        /**
         * Returns whether the event is stale: its connection id, or the connection id of the request, was closed before
         * the application received the event.
         */
        boolean isStale();

        /** Discards an event that the application will not receive. A connection request is rejected. */
        void drop();

        /** Marks the event as received. The application must acknowledge a received event before it closes the id. */
        void taken();
    }

    /** Creates an empty queue of CM events, which calls {@code onRoom} when {@link #isFull} changes to false. */
    public CmEventQueue(String channel, Runnable onRoom) {
        this.onRoom = onRoom;
        events = new EventQueue<>("rdma_get_cm_event", channel);
    }

    /**
     * Returns whether the reading thread must pause. The reading thread pauses when {@link #MOST_WAITING} CM events are
     * queued. The reading thread continues when at most {@code MOST_WAITING / 2} CM events are queued.
     */
    public boolean isFull() {
        if (!full && events.size() >= MOST_WAITING) {
            full = true;
            // A thread that removes CM events does not write `full` while `full` is false. So that `full` does not stay
            // true by mistake, `isFull` sets `full` to false if `hasRoom` returns true. `isFull` sets `full` to true
            // before it calls `hasRoom`. If `isFull` called `hasRoom` first, the queue could become empty between both
            // steps, and `full` would stay true.
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

    /** Appends a CM event to the queue, and delivers the queued events to the handler and to waiting threads. */
    public void deliver(E event) {
        enqueue(event);
        handOver();
    }

    /** Appends a CM event to the queue. To deliver the event, release all locks, and then call {@link #handOver}. */
    public void enqueue(E event) {
        events.enqueue(event);
    }

    /**
     * Drops the CM events of closed connection ids, and then delivers the other CM events to the handler and to waiting
     * threads.
     */
    public void handOver() {
        dropStale();
        events.handOver();
    }

    /** Passes an event to the handler, which may close the connection id of the event. */
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

    /** Sets the handler, which first receives the queued events. If the handler is null, later events stay in the queue. */
    public void setHandler(@Nullable CmEventHandler newHandler) {
        events.setHandler(newHandler == null ? null : event -> hand(event, newHandler));
    }

    /** Removes and returns the oldest event that is not stale, if any. Throws {@code EBADF} if the queue is closed. */
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
     * Waits for an event that is not stale, but no longer than {@code timeout}. Removes and returns this event. Throws
     * {@code EBADF} if the queue is closed.
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

    /** Returns a {@link CompletionStage} that completes when the queue has an event to poll. */
    public CompletionStage<Void> ready() {
        return events.ready();
    }

    /**
     * Returns the read end of a pipe; the read end is readable while this queue has an event to poll. Throws
     * {@code EBADF} if the queue is closed, or if the operating system refuses to create the pipe.
     */
    public SelectableChannel selectable() throws VerbsException {
        return events.selectable();
    }

    private Optional<CmEvent> taken(Optional<E> event) {
        event.ifPresent(Entry::taken);
        return event.map(CmEvent.class::cast);
    }

    /** Removes the selected events from the queue, and returns them in the order in which they were added. */
    public List<E> remove(Predicate<E> which) {
        List<E> removed = events.remove(which);
        eventsLeft();
        return removed;
    }

    /** Removes and drops the queued CM events of closed connection ids. */
    public void dropStale() {
        remove(Entry::isStale).forEach(Entry::drop);
    }

    public void close() {
        events.close();
    }
}
