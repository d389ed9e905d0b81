// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The asynchronous events of a device, and additional events that a test has injected. */
final class FaultyEvents implements AsyncEventChannel {
    private final AsyncEventChannel real;
    private final UnaryOperator<AsyncEvent> shown;
    private final VerbsRuntime runtime;
    private final Queue<AsyncEvent> madeUp = new ArrayDeque<>();
    private final String device;
    private @Nullable AsyncEventHandler handler;
    private volatile boolean closed;

    FaultyEvents(AsyncEventChannel real, String device, UnaryOperator<AsyncEvent> shown, VerbsRuntime runtime) {
        this.real = real;
        this.device = device;
        this.shown = shown;
        this.runtime = runtime;
    }

    /** Raises an event that the device did not report. */
    void raise(AsyncEvent event) {
        AsyncEventHandler called;
        synchronized (this) {
            called = handler;
            if (called == null) {
                madeUp.add(event);
            }
        }
        if (called != null) {
            runtime.newSerialTask(() -> called.onAsyncEvent(event)).schedule();
        }
        runtime.wakeUp();
    }

    /** Records that the device is closed, and wakes the waiting threads. */
    void close() {
        closed = true;
        runtime.wakeUp();
    }

    @Override
    public Optional<AsyncEvent> poll() {
        synchronized (this) {
            AsyncEvent first = madeUp.poll();
            if (first != null) {
                return Optional.of(first);
            }
        }
        return real.poll().map(shown);
    }

    @Override
    public Optional<AsyncEvent> await(Duration timeout) throws VerbsException, InterruptedException {
        AsyncEvent[] found = new AsyncEvent[1];
        runtime.await(
                () -> {
                    Optional<AsyncEvent> event = poll();
                    event.ifPresent(one -> found[0] = one);
                    return event.isPresent() || closed;
                },
                timeout);
        if (closed) {
            throw new VerbsException(Errno.EBADF, "ibv_get_async_event", "device " + device + " is closed");
        }
        return Optional.ofNullable(found[0]);
    }

    @Override
    public void setHandler(@Nullable AsyncEventHandler value) {
        synchronized (this) {
            handler = value;
        }
        real.setHandler(value == null ? null : event -> value.onAsyncEvent(shown.apply(event)));
    }
}
