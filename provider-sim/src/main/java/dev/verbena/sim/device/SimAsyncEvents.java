// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.runtime.SimRuntime;
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
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous events of a device context. A {@code SerialTask} passes each event to the handler of the object that
 * raised the event. If the object that raised an event has no handler, the device's handler gets the event. If neither the
 * device nor the object that raised the event has a handler, the event is queued.
 */
final class SimAsyncEvents implements AsyncEventChannel {
    /**
     * An asynchronous event and the handler of the object that raised it. If {@code handler} is null, the device's handler at the
     * time of delivery is called.
     */
    private record Delivery(AsyncEvent event, @Nullable AsyncEventHandler handler) {}

    /** The maximum number of queued events; if no thread polls or a handler blocks, the oldest events are discarded. */
    static final int MOST_UNCLAIMED = 1 << 12;

    private static final System.Logger LOGGER = System.getLogger(SimAsyncEvents.class.getName());

    private final String device;
    private final SimRuntime runtime;
    private final Children objects;
    private final VerbsRuntime.SerialTask deliverer;
    private final Deque<Delivery> pending = new ArrayDeque<>();
    private final Deque<AsyncEvent> unclaimed = new ArrayDeque<>();
    private @Nullable AsyncEventHandler general;
    private boolean dropped;

    SimAsyncEvents(String device, SimRuntime runtime, Children objects) {
        this.device = device;
        this.runtime = runtime;
        this.objects = objects;
        deliverer = runtime.newSerialTask(this::deliverOne);
    }

    void raise(AsyncEvent event, @Nullable AsyncEventHandler handler) {
        synchronized (pending) {
            pending.add(new Delivery(event, handler));
            dropSurplus(pending);
        }
        deliverer.schedule();
    }

    void forget(Object closed) {
        synchronized (pending) {
            pending.removeIf(delivery -> isAbout(delivery.event(), closed));
            unclaimed.removeIf(event -> isAbout(event, closed));
        }
    }

    private static boolean isAbout(AsyncEvent event, Object object) {
        return object.equals(event.queuePair()) || object.equals(event.completionQueue()) || object.equals(event.srq());
    }

    private void deliverOne() {
        AsyncEvent event;
        AsyncEventHandler handler;
        synchronized (pending) {
            Delivery next = pending.poll();
            if (next == null) {
                return;
            }
            if (!pending.isEmpty()) {
                // `deliverer` is scheduled for the next event before the handler runs, because the handler may throw an
                // exception.
                deliverer.schedule();
            }
            event = next.event();
            handler = next.handler() != null ? next.handler() : general;
            if (handler == null) {
                keep(event);
            }
        }
        if (handler == null) {
            runtime.wakeUp();
        } else {
            handler.onAsyncEvent(event);
        }
    }

    private void keep(AsyncEvent event) {
        unclaimed.add(event);
        dropSurplus(unclaimed);
    }

    private void dropSurplus(Deque<?> events) {
        if (events.size() > MOST_UNCLAIMED) {
            events.remove();
            if (!dropped) {
                dropped = true;
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "device {0} drops its oldest asynchronous events, since {1} have not been polled; read them with"
                                + " asyncEvents().poll() or set a handler that does not block",
                        device,
                        MOST_UNCLAIMED);
            }
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
        AtomicReference<@Nullable AsyncEvent> taken = new AtomicReference<>();
        runtime.await(
                () -> {
                    taken.set(poll().orElse(null));
                    return taken.get() != null || objects.isClosed();
                },
                timeout);
        if (objects.isClosed()) {
            throw new VerbsException(Errno.EBADF, "ibv_get_async_event", "device " + device + " is closed");
        }
        return Optional.ofNullable(taken.get());
    }

    @Override
    public void setHandler(@Nullable AsyncEventHandler handler) {
        synchronized (pending) {
            general = handler;
            if (handler != null) {
                for (AsyncEvent event = unclaimed.pollLast(); event != null; event = unclaimed.pollLast()) {
                    pending.addFirst(new Delivery(event, null));
                }
            }
        }
        deliverer.schedule();
    }
}
