package dev.verbena.lnd;

import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventSink;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.VerbsRuntime;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Keeps events until no lock is held, and gives them to their handlers one after the other, on a task of the runtime. */
final class EventQueue implements LnetEventSink {

    private final Deque<LnetEvent> pending = new ArrayDeque<>();
    private final VerbsRuntime.SerialTask task;
    private boolean delivering;

    EventQueue(VerbsRuntime runtime) {
        task = runtime.newSerialTask(this::deliver);
    }

    @Override
    public boolean wants(MemoryDescriptor md) {
        return md.hasHandler();
    }

    @Override
    public void accept(LnetEvent event) {
        synchronized (pending) {
            pending.add(event);
        }
        task.schedule();
    }

    private void deliver() {
        LnetEvent event = next();
        if (event == null) {
            return;
        }
        try {
            event.memoryDescriptor().handler().onEvent(event);
        } finally {
            // Not in a loop of its own: handlers that send bring about the next events, and others of the runtime want
            // to run, too.
            if (!isEmpty()) {
                task.schedule();
            }
        }
    }

    private @Nullable LnetEvent next() {
        synchronized (pending) {
            @Nullable LnetEvent event = pending.poll();
            delivering = event != null;
            return event;
        }
    }

    /** Whether every event has been handled. */
    boolean isIdle() {
        synchronized (pending) {
            return pending.isEmpty() && !delivering;
        }
    }

    private boolean isEmpty() {
        synchronized (pending) {
            delivering = false;
            return pending.isEmpty();
        }
    }

    void stop() {
        task.cancel();
    }
}
