// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import dev.verbena.ibverbs.internal.EventQueue;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The asynchronous events of a device: always empty, because DiSNI reports none. */
final class SilentEvents implements AsyncEventChannel {
    private final EventQueue<AsyncEvent> none;

    SilentEvents(String device) {
        none = new EventQueue<>("ibv_get_async_event", device);
    }

    @Override
    public Optional<AsyncEvent> poll() {
        return none.poll();
    }

    @Override
    public Optional<AsyncEvent> await(Duration timeout) throws VerbsException, InterruptedException {
        return none.await(timeout);
    }

    @Override
    public void setHandler(@Nullable AsyncEventHandler handler) {
        // DiSNI reports no asynchronous events, so an `AsyncEventHandler` would never be called.
    }

    /** Wakes the threads that wait for an asynchronous event. */
    void close() {
        none.close();
    }
}
