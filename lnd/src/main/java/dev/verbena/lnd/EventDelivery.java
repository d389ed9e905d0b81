// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventSink;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Delivers LNet events one at a time, without a lock, in a {@code SerialTask}. {@code accept} never waits. Thread-safe. */
final class EventDelivery implements LnetEventSink {
    private static final VarHandle COMING;

    static {
        try {
            COMING = MethodHandles.lookup().findVarHandle(EventDelivery.class, "coming", Link.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    private static final class Link {
        private final LnetEvent event;
        private @Nullable Link next;

        private Link(LnetEvent event, @Nullable Link next) {
            this.event = event;
            this.next = next;
        }
    }

    private final VerbsRuntime.SerialTask task;

    /** The linked list of the LNet events that {@code task} has not yet moved to {@code taken}, newest first. */
    private volatile @Nullable Link coming;

    /** The linked list of the events that {@code task} will deliver, oldest first; only {@code task} accesses this list. */
    private @Nullable Link taken;

    private volatile boolean delivering;

    EventDelivery(VerbsRuntime runtime) {
        task = runtime.newSerialTask(this::deliver);
    }

    @Override
    public boolean wants(MemoryDescriptor md) {
        return md.hasHandler();
    }

    @Override
    public void accept(LnetEvent event) {
        Link before;
        do {
            before = coming;
        } while (!COMING.compareAndSet(this, before, new Link(event, before)));
        if (before == null) {
            // The thread that adds the first event to an empty list schedules the delivery task.
            task.schedule();
        }
    }

    private void deliver() {
        delivering = true;
        Link first = taken == null ? takeAll() : taken;
        try {
            if (first != null) {
                first.event.memoryDescriptor().handler().onEvent(first.event);
            }
        } finally {
            taken = first == null ? null : first.next;
            delivering = taken != null;
            // A run of the task delivers only one event to the event handler. A loop over all events might never end,
            // because event handlers can cause new events.
            if (!isIdle()) {
                task.schedule();
            }
        }
    }

    private @Nullable Link takeAll() {
        Link first = null;
        Link rest = (Link) COMING.getAndSet(this, null);
        while (rest != null) {
            Link before = rest.next;
            rest.next = first;
            first = rest;
            rest = before;
        }
        return first;
    }

    boolean isIdle() {
        // `isIdle` must read `coming` before `delivering`, because `deliver` writes the two fields in the reverse
        // order. If `isIdle` read `delivering` first, `isIdle` could return true while an event is being delivered.
        return coming == null && !delivering;
    }

    void stop() {
        task.cancel();
    }
}
