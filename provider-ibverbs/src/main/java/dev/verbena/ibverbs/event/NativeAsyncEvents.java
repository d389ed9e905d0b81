// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.event;

import dev.verbena.ibverbs.internal.EventQueue;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The asynchronous events of a device, queued until a handler receives them or the application polls them. */
public final class NativeAsyncEvents implements AsyncEventChannel {
    private static final String VERB = "ibv_get_async_event";

    /**
     * The maximum length of each queue of events. A queue reaches its maximum length if the application polls no
     * events, or if a handler blocks. If more events arrive, the oldest queued events are dropped.
     */
    static final int MOST_UNCLAIMED = 1 << 12;

    /**
     * This queue contains the asynchronous events of objects with an event handler. The queue {@link #ofDevice}
     * contains the events of objects without a handler, and the events of the device itself.
     */
    private final EventQueue<Handled> ofObjects;

    private final EventQueue<AsyncEvent> ofDevice;

    private record Handled(AsyncEvent event, AsyncEventHandler handler) {
        void call() {
            handler.onAsyncEvent(event);
        }
    }

    public NativeAsyncEvents(String device) {
        ofObjects = new EventQueue<>(VERB, device, MOST_UNCLAIMED);
        ofDevice = new EventQueue<>(VERB, device, MOST_UNCLAIMED);
        ofObjects.setHandler(Handled::call);
    }

    /** Adds an event to {@link #ofDevice} if {@code ofObject} is null, otherwise to {@link #ofObjects}. */
    public void enqueue(AsyncEvent event, @Nullable AsyncEventHandler ofObject) {
        if (ofObject == null) {
            ofDevice.enqueue(event);
        } else {
            ofObjects.enqueue(new Handled(event, ofObject));
        }
    }

    public void handOver() {
        ofObjects.handOver();
        ofDevice.handOver();
    }

    void forget(Object closed) {
        ofObjects.remove(handled -> isAbout(handled.event(), closed));
        ofDevice.remove(event -> isAbout(event, closed));
    }

    private static boolean isAbout(AsyncEvent event, Object object) {
        return object.equals(event.queuePair()) || object.equals(event.completionQueue()) || object.equals(event.srq());
    }

    @Override
    public Optional<AsyncEvent> poll() {
        return ofDevice.poll();
    }

    @Override
    public Optional<AsyncEvent> await(Duration timeout) throws VerbsException, InterruptedException {
        return ofDevice.await(timeout);
    }

    @Override
    public void setHandler(@Nullable AsyncEventHandler newHandler) {
        ofDevice.setHandler(newHandler == null ? null : newHandler::onAsyncEvent);
    }

    /**
     * Closes the queue of the device's events. All calls of {@link #await} then fail with EBADF. {@code NativeDevice} calls
     * this method after it has closed the device.
     */
    public void end() {
        ofDevice.close();
    }
}
