// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.runtime.Signal;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.spi.Readiness;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

final class SimCompletionChannel implements CompletionChannel {
    private final Device device;
    private final SimRuntime runtime;
    private final Children siblings;
    private final Children queues = new Children();
    private final Queue<CompletionQueue> announced = new ArrayDeque<>();
    private final Signal signal;
    private final Readiness readiness;

    SimCompletionChannel(Device device, SimRuntime runtime, Children siblings) {
        this.device = device;
        this.runtime = runtime;
        this.siblings = siblings;
        signal = runtime.newSignal();
        readiness = new Readiness(this::hasAnnouncement, runtime.stageExecutor());
    }

    Children queues() {
        return queues;
    }

    boolean isOf(Device other) {
        return device.equals(other);
    }

    void announce(CompletionQueue queue) {
        synchronized (announced) {
            announced.add(queue);
        }
        signal.wakeUp();
        readiness.signal();
    }

    private boolean hasAnnouncement() {
        synchronized (announced) {
            return !announced.isEmpty();
        }
    }

    void detach(CompletionQueue queue) {
        synchronized (announced) {
            announced.removeIf(queue::equals);
        }
        readiness.polled();
        queues.remove(queue);
    }

    private @Nullable CompletionQueue take() {
        CompletionQueue taken;
        synchronized (announced) {
            taken = announced.poll();
        }
        readiness.polled();
        return taken;
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
        signal.await(
                () -> {
                    taken.set(take());
                    return taken.get() != null || queues.isClosed();
                },
                timeout);
        checkOpen();
        return Optional.ofNullable(taken.get());
    }

    @Override
    public CompletionStage<Void> ready() {
        return readiness.stage();
    }

    @Override
    public SelectableChannel selectable() throws VerbsException {
        runtime.requireWallTime("ibv_get_cq_event");
        return readiness.selectable();
    }

    @Override
    public void close() throws VerbsException {
        if (queues.close("ibv_destroy_comp_channel", this)) {
            siblings.remove(this);
            signal.wakeUp();
            readiness.close();
        }
    }

    @Override
    public String toString() {
        return "completion channel of " + device.name();
    }
}
