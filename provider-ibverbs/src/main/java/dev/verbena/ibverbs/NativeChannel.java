package dev.verbena.ibverbs;

import dev.verbena.ibverbs.internal.Announcements;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.Optional;

/** A completion channel of the library, which the event thread reads for those who wait. */
final class NativeChannel implements CompletionChannel, EventLoop.Source {
    private final NativeDevice device;
    private final CqEvents events;
    private final Announcements<CompletionQueue> announcements;
    private final Dependents dependents = new Dependents();

    NativeChannel(NativeDevice device, Descriptors descriptors) throws VerbsException {
        this.device = device;
        events = new CqEvents(device, descriptors);
        announcements = new Announcements<>("ibv_get_cq_event", "the " + this);
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

    @Override
    public int descriptor() {
        return events.descriptor();
    }

    @Override
    public void drain() {
        events.read().forEach(NativeCq::announce);
    }

    void announce(NativeCq queue) {
        announcements.add(queue);
    }

    /** A queue was closed: its announcements go with it. */
    void forget(NativeCq queue) {
        announcements.removeIf(queue::equals);
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
    public void close() throws VerbsException {
        boolean closedNow = handle().close(channel -> {
            dependents.requireNone("ibv_destroy_comp_channel", this);
            device.loop().remove(this);
            events.destroy(channel);
        });
        if (closedNow) {
            announcements.close();
            device.dependents().remove(this);
        }
    }

    @Override
    public String toString() {
        return events.handle().toString();
    }
}
