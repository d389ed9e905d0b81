package dev.verbena.sim.device;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

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

    private @Nullable CompletionQueue take() {
        synchronized (announced) {
            return announced.poll();
        }
    }

    private void checkOpen() throws VerbsException {
        if (queues.isClosed()) {
            throw new VerbsException(Errno.EBADF, "ibv_get_cq_event", "the completion channel is closed");
        }
    }

    @Override
    public Optional<CompletionQueue> poll() throws VerbsException {
        checkOpen();
        return Optional.ofNullable(take());
    }

    @Override
    public Optional<CompletionQueue> await(Duration timeout) throws VerbsException, InterruptedException {
        AtomicReference<@Nullable CompletionQueue> taken = new AtomicReference<>();
        context.simRuntime()
                .await(
                        () -> {
                            taken.set(take());
                            return taken.get() != null || queues.isClosed();
                        },
                        timeout);
        checkOpen();
        return Optional.ofNullable(taken.get());
    }

    @Override
    public void close() throws VerbsException {
        if (queues.close("ibv_destroy_comp_channel", this)) {
            context.children().remove(this);
            context.simRuntime().wakeUp();
        }
    }

    @Override
    public String toString() {
        return "completion channel of " + context.name();
    }
}
