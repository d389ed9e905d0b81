// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventHandler;
import dev.verbena.cm.EventChannel;
import dev.verbena.sim.runtime.Signal;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.spi.Readiness;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime.SerialTask;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An event channel. The application polls the events, or a {@link SerialTask} calls the {@link CmEventHandler}. */
final class SimEventChannel implements EventChannel {
    private final SimRuntime runtime;
    private final Signal signal;
    private final Readiness readiness;
    private final CmLock lock;
    private final SerialTask delivery;

    private final ArrayDeque<SimCmEvent> queue = new ArrayDeque<>();
    private @Nullable CmEventHandler handler;
    private int ids;

    /**
     * Whether an event can be polled. Only a thread that holds the connection manager's lock writes this field. A thread
     * that holds the {@link Readiness} lock may read this field. To avoid a deadlock, a reader of this field does not
     * acquire the connection manager's lock.
     */
    private volatile boolean pollable;

    private boolean closed;

    SimEventChannel(SimRuntime runtime, CmLock lock) {
        this.runtime = runtime;
        this.lock = lock;
        this.delivery = runtime.newSerialTask(this::deliver);
        signal = runtime.newSignal();
        readiness = new Readiness(() -> pollable, runtime.stageExecutor());
    }

    /** Fails if an event channel is closed, or if {@code lock} is not the lock of the channel's connection manager. */
    static SimEventChannel require(String verb, EventChannel channel, CmLock lock) throws VerbsException {
        if (!(channel instanceof SimEventChannel simChannel) || simChannel.lock != lock) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the channel belongs to another connection manager; use createEventChannel of the id's manager");
        }
        simChannel.requireOpen(verb);
        return simChannel;
    }

    void idAdded() {
        ids++;
    }

    void idRemoved() {
        ids--;
    }

    void add(SimCmEvent event) {
        queue.add(event);
        notePollable();
        lock.afterUnlock(this::announce);
    }

    private void notePollable() {
        pollable = handler == null && !queue.isEmpty();
    }

    List<SimCmEvent> remove(IdLife id) {
        List<SimCmEvent> removed = new ArrayList<>();
        queue.removeIf(event -> event.belongsTo(id) && removed.add(event));
        notePollable();
        lock.afterUnlock(readiness::polled);
        return removed;
    }

    private void announce() {
        boolean hasHandler = lock.call(() -> handler != null);
        if (hasHandler) {
            delivery.schedule();
        }
        signal.wakeUp();
        readiness.signal();
        // A thread in `runtime.await` may wait for an effect of the CM event handler.
        runtime.wakeUp();
    }

    private void deliver() {
        Delivery next = lock.call(this::nextDelivery);
        if (next == null) {
            return;
        }
        try {
            next.handler().onCmEvent(next.event());
        } finally {
            // Schedules the `SerialTask` again for the remaining events, even if the `CmEventHandler` threw.
            delivery.schedule();
        }
    }

    /** A CM event and its handler. The application need not acknowledge an event that a handler receives. */
    private record Delivery(CmEventHandler handler, SimCmEvent event) {}

    private @Nullable Delivery nextDelivery() {
        if (handler == null) {
            return null;
        }
        SimCmEvent event = queue.poll();
        notePollable();
        if (event == null) {
            return null;
        }
        event.taken();
        return new Delivery(handler, event);
    }

    @Override
    public Optional<CmEvent> poll() throws VerbsException {
        Optional<CmEvent> taken = lock.call(() -> {
            requireOpen("rdma_get_cm_event");
            return Optional.ofNullable(take());
        });
        readiness.polled();
        return taken;
    }

    private @Nullable SimCmEvent take() {
        SimCmEvent event = queue.poll();
        notePollable();
        if (event != null) {
            event.taken();
            event.count();
        }
        return event;
    }

    @Override
    public Optional<CmEvent> await(Duration timeout) throws VerbsException, InterruptedException {
        AtomicReference<@Nullable CmEvent> taken = new AtomicReference<>();
        signal.await(
                () -> lock.call(() -> {
                    taken.set(take());
                    return taken.get() != null || closed;
                }),
                timeout);
        CmEvent event = taken.get();
        if (event == null) {
            return poll();
        }
        readiness.polled();
        return Optional.of(event);
    }

    @Override
    public CompletionStage<Void> ready() {
        return readiness.stage();
    }

    @Override
    public SelectableChannel selectable() throws VerbsException {
        runtime.requireWallTime("rdma_get_cm_event");
        return readiness.selectable();
    }

    @Override
    public void setHandler(@Nullable CmEventHandler newHandler) {
        boolean waiting = lock.call(() -> {
            handler = newHandler;
            notePollable();
            return newHandler != null && !queue.isEmpty();
        });
        readiness.signal();
        if (waiting) {
            delivery.schedule();
        }
    }

    @Override
    public void close() throws VerbsException {
        lock.run(() -> {
            if (ids > 0) {
                throw new VerbsException(
                        Errno.EBUSY,
                        "rdma_destroy_event_channel",
                        ids + (ids == 1 ? " id uses" : " ids use")
                                + " the channel; close them, or migrate them to another channel");
            }
            closed = true;
            queue.clear();
            notePollable();
            lock.afterUnlock(delivery::cancel);
            lock.afterUnlock(signal::wakeUp);
            lock.afterUnlock(readiness::close);
        });
    }

    private void requireOpen(String verb) throws VerbsException {
        if (closed) {
            throw new VerbsException(Errno.EBADF, verb, "the event channel is closed");
        }
    }
}
