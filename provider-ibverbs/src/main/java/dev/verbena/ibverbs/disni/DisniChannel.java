// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.EventQueue;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.VerbsException;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A completion channel of the SPI. The channel collects the completion events of several queues. In DiSNI each
 * completion queue has its own completion channel; a polling thread of the queue reads this channel.
 */
final class DisniChannel implements CompletionChannel {
    private final DisniContext context;
    private final UseGuard guard;
    private final EventQueue<CompletionQueue> announcements;
    private final Dependents dependents = new Dependents();

    DisniChannel(DisniContext context) {
        this.context = context;
        guard = new UseGuard("completion channel of " + context);
        announcements = new EventQueue<>("ibv_get_cq_event", "the " + guard);
    }

    DisniContext context() {
        return context;
    }

    UseGuard guard() {
        return guard;
    }

    Dependents dependents() {
        return dependents;
    }

    void enqueue(CompletionQueue queue) {
        announcements.enqueue(queue);
    }

    void handOver() {
        announcements.handOver();
    }

    void forget(CompletionQueue queue) {
        announcements.remove(queue::equals);
        dependents.remove(queue);
    }

    @Override
    public Optional<CompletionQueue> poll() throws VerbsException {
        announcements.requireOpen();
        return announcements.poll();
    }

    @Override
    public Optional<CompletionQueue> await(Duration timeout) throws VerbsException, InterruptedException {
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
        if (guard.end(() -> dependents.requireNone("ibv_destroy_comp_channel", this))) {
            announcements.close();
            context.dependents().remove(this);
        }
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
