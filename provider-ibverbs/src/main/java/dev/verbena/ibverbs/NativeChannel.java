package dev.verbena.ibverbs;

import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.EventQueue;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.VerbsException;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A completion channel of the library, which the event thread reads for the waiting threads. */
final class NativeChannel implements CompletionChannel, EventLoop.Source {
    private final NativeDevice device;
    private final CqEvents events;
    private final EventQueue<CompletionQueue> announcements;
    private final Dependents dependents = new Dependents();

    NativeChannel(NativeDevice device, Descriptors descriptors) throws VerbsException {
        this.device = device;
        events = CqEvents.create(device, descriptors);
        announcements = new EventQueue<>("ibv_get_cq_event", "the " + this);
    }

    NativeDevice device() {
        return device;
    }

    NativeHandle handle() {
        return events.handle();
    }

    Dependents dependents() {
        return dependents;
    }

    void watch() {
        device.loop().add(events.descriptor(), this);
    }

    /** By the event thread and by threads that poll, one at a time, so that the order stays that of the kernel. */
    @Override
    public synchronized void drain() {
        events.read(announcements::enqueue);
        announcements.handOver();
    }

    /** A queue was closed: its announcements go with it. */
    void forget(NativeCq queue) {
        announcements.remove(queue::equals);
        dependents.remove(queue);
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
            dependents.requireNone("ibv_destroy_comp_channel", this);
            events.destroy(channel);
        });
        if (closedNow) {
            device.loop().remove(this);
            announcements.close();
            device.dependents().remove(this);
        }
    }

    @Override
    public String toString() {
        return events.handle().toString();
    }
}
