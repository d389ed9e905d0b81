// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.event;

import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.EventQueue;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.VerbsException;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A completion channel of libibverbs. The provider's event thread reads the channel's events for waiting threads. */
public final class NativeChannel implements CompletionChannel, EventLoop.Source {
    private final NativeContext context;
    private final EventLoop loop;
    private final CqEvents events;
    private final EventQueue<CompletionQueue> announcements;

    public NativeChannel(NativeContext context, EventLoop loop, CqEvents events) throws VerbsException {
        this.context = context;
        this.loop = loop;
        this.events = events;
        announcements = new EventQueue<>("ibv_get_cq_event", "the " + this);
    }

    public NativeContext context() {
        return context;
    }

    public NativeHandle handle() {
        return events.handle();
    }

    public Dependents dependents() {
        return events.dependents();
    }

    public void watch() {
        loop.add(events.descriptor(), this);
    }

    /** Only one thread at a time reads completion events from the kernel, so the events stay in the kernel's order. */
    @Override
    public synchronized void drain() {
        events.read(CompletionQueue.class, announcements::enqueue);
        announcements.handOver();
    }

    /** Removes the completion events of a completion queue that was closed. */
    public void forget(CompletionQueue queue) {
        announcements.remove(queue::equals);
        dependents().remove(queue);
    }

    @Override
    public Optional<CompletionQueue> poll() throws VerbsException {
        announcements.requireOpen();
        drain();
        return announcements.poll();
    }

    @Override
    public Optional<CompletionQueue> await(Duration timeout) throws VerbsException, InterruptedException {
        drain();
        return announcements.await(timeout);
    }

    @Override
    public CompletionStage<Void> ready() {
        return announcements.ready();
    }

    @Override
    public SelectableChannel selectable() throws VerbsException {
        return announcements.selectable();
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = handle().close(channel -> {
            dependents().requireNone("ibv_destroy_comp_channel", this);
            events.destroy(channel);
        });
        if (closedNow) {
            loop.remove(this);
            announcements.close();
            context.dependents().remove(this);
        }
    }

    @Override
    public String toString() {
        return events.toString();
    }
}
