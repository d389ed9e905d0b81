// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventSink;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Keeps events until no lock is held, and delivers them to their handlers one after the other, on a task of the
 * runtime. Adding an event never waits. Thread-safe.
 */
final class EventDelivery implements LnetEventSink {
    private static final VarHandle COMING;

    static {
        try {
            COMING = MethodHandles.lookup().findVarHandle(EventDelivery.class, "coming", Link.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    /** An event in a list. */
    private static final class Link {
        private final LnetEvent event;
        private @Nullable Link next;

        private Link(LnetEvent event, @Nullable Link next) {
            this.event = event;
            this.next = next;
        }
    }

    private final VerbsRuntime.SerialTask task;

    /** The events that the task has not taken yet, the last one first. */
    private volatile @Nullable Link coming;

    /** The events that the task has taken, the first one first. Used only by the task. */
    private @Nullable Link taken;

    /** Whether the task may have taken events that are not handled yet. */
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
            // Otherwise the thread that added the earlier event schedules the task, and its run takes all events added
            // until then.
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
            // One event per run, not a loop: a handler that sends causes the next events, so a loop could keep other
            // tasks of the runtime from running.
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

    /** Returns whether every event has been handled. */
    boolean isIdle() {
        // Read in this order, since events move from {@code coming} to the task.
        return coming == null && !delivering;
    }

    void stop() {
        task.cancel();
    }
}
