// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCReqNotify;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.internal.Undo;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.spi.AbstractCompletionQueue;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionHandler;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A completion queue of DiSNI, with its own completion channel, which DiSNI requires. */
final class DisniCq extends AbstractCompletionQueue {
    private static final String CREATE = "ibv_create_cq";

    private final DisniContext opened;
    private final QueuePairs queuePairs;
    private final CqInitAttributes attributes;
    private final @Nullable DisniChannel channel;
    private final IbvCompChannel own;
    private final IbvCQ cq;
    private final UseGuard guard;
    private final PollingThread poller;
    private boolean channelDestroyed;
    private final Dependents dependents = new Dependents();

    private DisniCq(
            Device device,
            DisniContext opened,
            QueuePairs queuePairs,
            CqInitAttributes attributes,
            @Nullable DisniChannel channel,
            IbvCompChannel own,
            IbvCQ cq) {
        super(device, attributes);
        this.opened = opened;
        this.queuePairs = queuePairs;
        this.attributes = attributes;
        this.channel = channel;
        this.own = own;
        this.cq = cq;
        guard = new UseGuard("completion queue of " + device);
        poller = new PollingThread("verbena-disni-cq", guard, this::pollEvents);
    }

    /**
     * Creates a completion queue, which finds the queue pair of each completion in the device's table of queue pairs. The
     * caller must ensure that no thread closes the device context before this method returns.
     */
    static DisniCq create(
            Device device, DisniContext opened, QueuePairs queuePairs, IbvContext context, CqInitAttributes attributes)
            throws VerbsException {
        DeviceAttributes limits = device.attributes();
        if (attributes.capacity() > limits.maxCqe()) {
            throw Refusals.invalid(
                    CREATE, attributes.capacity() + " entries; a completion queue has 1 to " + limits.maxCqe());
        }
        if (attributes.completionVector() >= limits.completionVectors()) {
            throw Refusals.invalid(
                    CREATE,
                    "completion vector " + attributes.completionVector() + " of " + device + ", which has "
                            + limits.completionVectors());
        }
        CompletionChannel given = attributes.channel();
        DisniChannel channel = given == null ? null : Refusals.own(DisniChannel.class, given, CREATE, device);
        if (channel != null && channel.context() != opened) {
            throw Refusals.invalid(CREATE, channel + " is of another device");
        }
        if (channel != null) {
            channel.guard().requireEnter();
        }
        try {
            DisniCq made = create(device, opened, queuePairs, context, attributes, channel);
            if (channel != null) {
                channel.dependents().add(made);
            }
            if (channel != null || attributes.handler() != null) {
                Undo.onFailure(made.poller::start, made::close);
            }
            return made;
        } finally {
            if (channel != null) {
                channel.guard().exit();
            }
        }
    }

    private static DisniCq create(
            Device device,
            DisniContext opened,
            QueuePairs queuePairs,
            IbvContext context,
            CqInitAttributes attributes,
            @Nullable DisniChannel channel)
            throws VerbsException {
        RdmaVerbs verbs = opened.library().verbs();
        IbvCompChannel own = DisniLibrary.make(
                "ibv_create_comp_channel",
                "creating the channel of a completion queue on " + device,
                () -> verbs.createCompChannel(context));
        boolean created = false;
        try {
            IbvCQ cq = DisniLibrary.make(
                    CREATE,
                    "creating a completion queue of " + attributes.capacity() + " on " + device,
                    () -> verbs.createCQ(context, own, attributes.capacity(), attributes.completionVector()));
            created = true;
            return new DisniCq(device, opened, queuePairs, attributes, channel, own, cq);
        } finally {
            if (!created) {
                DisniLibrary.destroy(
                        "ibv_destroy_comp_channel",
                        "closing the channel of a completion queue that was not created",
                        () -> verbs.destroyCompChannel(own));
            }
        }
    }

    DisniContext opened() {
        return opened;
    }

    @Override
    public WorkCompletions newCompletions(int capacity) {
        return new DisniCompletions(capacity);
    }

    @Override
    public int poll(WorkCompletions into) {
        DisniCompletions batch = (DisniCompletions) into;
        guard.requireEnter();
        try {
            return batch.fill(opened.library().verbs(), queuePairs, cq);
        } catch (IOException failed) {
            throw broken(failed);
        } finally {
            guard.exit();
        }
    }

    @Override
    public void requestNotification(Notification kind) {
        guard.requireEnter();
        try {
            SVCReqNotify call = opened.library().verbs().reqNotifyCQ(cq, kind == Notification.SOLICITED_ONLY);
            try {
                call.execute();
            } finally {
                call.free();
            }
        } catch (IOException failed) {
            throw broken(failed);
        } finally {
            guard.exit();
        }
    }

    private IllegalStateException broken(IOException why) {
        return new IllegalStateException(
                this
                        + " is broken, most likely because it was full; create a larger one, and create its queue pairs again",
                why);
    }

    /** Waits for a completion event of the completion queue. */
    private Optional<Runnable> pollEvents(int milliseconds) throws IOException {
        RdmaVerbs verbs = opened.library().verbs();
        if (!verbs.getCqEvent(own, cq, milliseconds)) {
            return Optional.empty();
        }
        verbs.ackCqEvents(cq, 1);
        if (channel != null) {
            // `close` waits until `pollEvents` returns, and then removes this completion queue from `channel`.
            channel.enqueue(this);
        }
        return Optional.of(this::announce);
    }

    private void announce() {
        CompletionHandler handler = attributes.handler();
        if (channel != null) {
            channel.handOver();
        } else if (handler != null && !guard.isClosed()) {
            handler.onCompletion(this);
        }
    }

    Dependents dependents() {
        return dependents;
    }

    IbvCQ cq() {
        return cq;
    }

    UseGuard guard() {
        return guard;
    }

    @Override
    public synchronized void close() throws VerbsException {
        RdmaVerbs verbs = opened.library().verbs();
        boolean closedNow = poller.end(() -> {
            dependents.requireNone("ibv_destroy_cq", this);
            DisniLibrary.destroy("ibv_destroy_cq", "closing the " + this, () -> verbs.destroyCQ(cq));
        });
        if (closedNow) {
            if (channel != null) {
                channel.forget(this);
            }
        }
        if (!channelDestroyed) {
            // If ibv_destroy_comp_channel fails, the program can close the completion queue again. The device cannot be
            // closed before the completion channel is destroyed.
            DisniLibrary.destroy(
                    "ibv_destroy_comp_channel",
                    "closing the channel of the " + this,
                    () -> verbs.destroyCompChannel(own));
            channelDestroyed = true;
            opened.dependents().remove(this);
        }
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
