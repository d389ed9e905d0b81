package dev.verbena.ibverbs.internal;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventHandler;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The events of a channel between the thread that reads them and those who take them: queued, or handed to a handler. May be
 * used from several threads.
 *
 * @param <E> the provider's events
 */
public final class CmEventQueue<E extends CmEventQueue.Entry> {
    private final Announcements<E> announcements;
    private final Object handlers = new Object();
    private @Nullable CmEventHandler handler;

    /** An event that somebody may take. */
    public interface Entry extends CmEvent {
        /**
         * Tells whether nobody can want it any more.
         *
         * @return whether the id was closed, or the one that a request is for, before anybody took this
         */
        boolean isTooLate();

        /** Ends what nobody will take; who asked is rejected. */
        void drop();

        /** Notes that somebody took it, who has to acknowledge it before the id can be closed. */
        void taken();
    }

    /**
     * Makes an empty queue.
     *
     * @param channel the name of the channel, for messages
     */
    public CmEventQueue(String channel) {
        announcements = new Announcements<>("rdma_get_cm_event", channel);
    }

    /**
     * Passes an event on.
     *
     * @param event what was read
     */
    public void deliver(E event) {
        CmEventHandler taker = handler();
        if (event.isTooLate()) {
            event.drop();
        } else if (taker == null) {
            announcements.add(event);
        } else {
            hand(event, taker);
        }
    }

    /** The handler may close the id. */
    private void hand(E event, CmEventHandler taker) {
        try {
            WallRuntime.shielded(() -> taker.onCmEvent(event));
        } finally {
            event.close();
        }
    }

    private @Nullable CmEventHandler handler() {
        synchronized (handlers) {
            return handler;
        }
    }

    /**
     * Sets who gets the events, those first that are queued.
     *
     * @param newHandler the handler, or null to queue them
     */
    public void setHandler(@Nullable CmEventHandler newHandler) {
        synchronized (handlers) {
            handler = newHandler;
        }
        if (newHandler != null) {
            for (Optional<E> queued = announcements.poll(); queued.isPresent(); queued = announcements.poll()) {
                hand(queued.get(), newHandler);
            }
        }
    }

    /**
     * Takes an event if there is one.
     *
     * @return the oldest one that is not too late
     * @throws VerbsException {@code EBADF} once closed
     */
    public Optional<CmEvent> poll() throws VerbsException {
        announcements.requireOpen();
        Optional<E> event = announcements.poll();
        while (event.isPresent() && event.get().isTooLate()) {
            event.get().drop();
            event = announcements.poll();
        }
        return taken(event);
    }

    /**
     * Waits for an event.
     *
     * @param timeout how long at most
     * @return the oldest one that is not too late
     * @throws VerbsException {@code EBADF} once closed
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<CmEvent> await(Duration timeout) throws VerbsException, InterruptedException {
        long start = System.nanoTime();
        Optional<E> event = announcements.await(timeout);
        while (event.isPresent() && event.get().isTooLate()) {
            event.get().drop();
            event = announcements.await(timeout.minusNanos(System.nanoTime() - start));
        }
        return taken(event);
    }

    private Optional<CmEvent> taken(Optional<E> event) {
        event.ifPresent(Entry::taken);
        return event.map(CmEvent.class::cast);
    }

    /**
     * Takes events out that nobody has taken.
     *
     * @param which those that go
     * @return the events, in order
     */
    public List<E> remove(Predicate<E> which) {
        List<E> removed = new ArrayList<>();
        announcements.removeIf(event -> which.test(event) && removed.add(event));
        return removed;
    }

    /** An id was closed: what nobody took of its events goes. */
    public void forgetWhatIsTooLate() {
        remove(Entry::isTooLate).forEach(Entry::drop);
    }

    /** Lets waiters go. */
    public void close() {
        announcements.close();
    }
}
