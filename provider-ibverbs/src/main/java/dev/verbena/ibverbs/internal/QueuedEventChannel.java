// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventHandler;
import dev.verbena.cm.EventChannel;
import dev.verbena.verbs.VerbsException;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An event channel whose CM events are queued in a {@link CmEventQueue}. */
public abstract class QueuedEventChannel<E extends CmEventQueue.Entry> implements EventChannel {
    /** The CM events that a thread of the provider has read from librdmacm. */
    protected final CmEventQueue<E> events;

    protected QueuedEventChannel(String name) {
        events = new CmEventQueue<>(name, this::readOn);
    }

    /** Called when the queue is no longer full, so that events can be read again. */
    protected void readOn() {}

    @Override
    public final Optional<CmEvent> poll() throws VerbsException {
        return events.poll();
    }

    @Override
    public final Optional<CmEvent> await(Duration timeout) throws VerbsException, InterruptedException {
        return events.await(timeout);
    }

    @Override
    public final CompletionStage<Void> ready() {
        return events.ready();
    }

    @Override
    public final SelectableChannel selectable() throws VerbsException {
        return events.selectable();
    }

    @Override
    public final void setHandler(@Nullable CmEventHandler handler) {
        events.setHandler(handler);
    }

    public final void dropStale() {
        events.dropStale();
    }
}
