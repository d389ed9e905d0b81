package dev.verbena.sim.device;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asynchronous events of a context: delivered by a task of their own to the handler they are meant for, or queued. */
final class SimAsyncEvents implements AsyncEventChannel {
    private record Delivery(AsyncEvent event, @Nullable AsyncEventHandler handler) {}

    private final SimContext context;
    private final VerbsRuntime.SerialTask deliverer;
    private final Deque<Delivery> pending = new ArrayDeque<>();
    private final Deque<AsyncEvent> unclaimed = new ArrayDeque<>();
    private @Nullable AsyncEventHandler general;

    SimAsyncEvents(SimContext context) {
        this.context = context;
        deliverer = context.runtime().newSerialTask(this::deliverAll);
    }

    void raise(AsyncEvent event, @Nullable AsyncEventHandler handler) {
        synchronized (pending) {
            pending.add(new Delivery(event, handler));
        }
        deliverer.schedule();
    }

    private void deliverAll() {
        for (Delivery next = take(); next != null; next = take()) {
            AsyncEventHandler own = next.handler();
            AsyncEventHandler handler = own != null ? own : generalHandlerOrKeep(next.event());
            if (handler != null) {
                handler.onAsyncEvent(next.event());
            }
        }
        context.runtime().wakeUp();
    }

    private @Nullable AsyncEventHandler generalHandlerOrKeep(AsyncEvent event) {
        synchronized (pending) {
            if (general == null) {
                unclaimed.add(event);
            }
            return general;
        }
    }

    private @Nullable Delivery take() {
        synchronized (pending) {
            return pending.poll();
        }
    }

    @Override
    public Optional<AsyncEvent> poll() {
        synchronized (pending) {
            return Optional.ofNullable(unclaimed.poll());
        }
    }

    @Override
    public Optional<AsyncEvent> await(Duration timeout) throws VerbsException, InterruptedException {
        context.runtime().await(() -> hasUnclaimed() || context.isClosed(), timeout);
        if (context.isClosed()) {
            throw new VerbsException(
                    Errno.EBADF, "ibv_get_async_event", "device " + context.name() + " is closed");
        }
        return poll();
    }

    private boolean hasUnclaimed() {
        synchronized (pending) {
            return !unclaimed.isEmpty();
        }
    }

    @Override
    public void setHandler(@Nullable AsyncEventHandler handler) {
        synchronized (pending) {
            general = handler;
            if (handler != null) {
                for (AsyncEvent event = unclaimed.pollLast(); event != null; event = unclaimed.pollLast()) {
                    pending.addFirst(new Delivery(event, handler));
                }
            }
        }
        deliverer.schedule();
    }
}
