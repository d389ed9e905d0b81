package dev.verbena.sim.device;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/** A queue of announcements. */
final class SimCompletionChannel implements CompletionChannel {
    private final SimContext context;
    private final Children queues = new Children();
    private final Queue<SimCompletionQueue> announced = new ArrayDeque<>();

    SimCompletionChannel(SimContext context) {
        this.context = context;
    }

    Children queues() {
        return queues;
    }

    boolean isOf(SimContext other) {
        return context == other;
    }

    void announce(SimCompletionQueue queue) {
        synchronized (announced) {
            announced.add(queue);
        }
    }

    void detach(SimCompletionQueue queue) {
        synchronized (announced) {
            announced.removeIf(other -> other == queue);
        }
        queues.remove(queue);
    }

    private boolean isEmpty() {
        synchronized (announced) {
            return announced.isEmpty();
        }
    }

    @Override
    public Optional<CompletionQueue> poll() throws VerbsException {
        if (queues.isClosed()) {
            throw new VerbsException(Errno.EBADF, "ibv_get_cq_event", "the completion channel is closed");
        }
        synchronized (announced) {
            return Optional.ofNullable(announced.poll());
        }
    }

    @Override
    public Optional<CompletionQueue> await(Duration timeout) throws VerbsException, InterruptedException {
        context.runtime().await(() -> !isEmpty() || queues.isClosed(), timeout);
        return poll();
    }

    @Override
    public void close() throws VerbsException {
        if (queues.close("ibv_destroy_comp_channel", this)) {
            context.children().remove(this);
            context.runtime().wakeUp();
        }
    }

    @Override
    public String toString() {
        return "completion channel of " + context.name();
    }
}
