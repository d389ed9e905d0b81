package dev.verbena.sim.device;

import dev.verbena.sim.queue.Cqe;
import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionHandler;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A completion queue: a ring that any engine adds to and any thread polls, both under the ring's monitor. */
final class SimCompletionQueue implements CompletionQueue {
    private final SimContext context;
    private final WorkQueue queue;
    private final Ring ring;
    private final Cqe entry = new Cqe();
    private final Children users = new Children();
    private final @Nullable Object attachment;
    private final @Nullable SimCompletionChannel channel;
    private final @Nullable AsyncEventHandler eventHandler;
    private final @Nullable ProgressTask announcer;
    private @Nullable Notification armed;
    private boolean overrun;

    SimCompletionQueue(SimContext context, CqInitAttributes attributes, @Nullable SimCompletionChannel channel) {
        this.context = context;
        this.channel = channel;
        queue = new WorkQueue(attributes.capacity(), Cqe.LENGTH);
        ring = queue.ring();
        attachment = attributes.context();
        eventHandler = attributes.eventHandler();
        CompletionHandler handler = attributes.handler();
        announcer = handler == null
                ? null
                : context.simRuntime().newProgressTask(() -> {
                    handler.onCompletion(this);
                    return false;
                });
    }

    Children users() {
        return users;
    }

    boolean isOf(SimContext other) {
        return context == other;
    }

    @Override
    public Device device() {
        return context;
    }

    @Override
    public int capacity() {
        return ring.capacity();
    }

    @Override
    public @Nullable Object context() {
        return attachment;
    }

    @Override
    public Optional<CompletionChannel> channel() {
        return Optional.ofNullable(channel);
    }

    @Override
    public WorkCompletions newCompletions(int capacity) {
        return new SimWorkCompletions(capacity);
    }

    @Override
    public int poll(WorkCompletions into) {
        if (!(into instanceof SimWorkCompletions batch)) {
            throw new IllegalArgumentException("this batch was made by another provider: " + into);
        }
        checkOpen("ibv_poll_cq");
        int count = 0;
        synchronized (ring) {
            while (count < batch.capacity() && !ring.isEmpty()) {
                MemorySegment.copy(
                        queue.slots(), queue.offset(ring.consumer()), batch.slots(), batch.offset(count), Cqe.LENGTH);
                ring.consume();
                count++;
            }
        }
        batch.count(count);
        return count;
    }

    @Override
    public void requestNotification(Notification kind) {
        checkOpen("ibv_req_notify_cq");
        synchronized (ring) {
            armed = armed == Notification.NEXT_COMPLETION ? armed : kind;
        }
    }

    /**
     * Adds a completion and announces it if the queue is armed for it; false if there was no room. A queue that lost one is
     * good for nothing any more, as its user cannot know which: it takes no others, and its queue pairs fail.
     */
    boolean add(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOpcode opcode,
            long byteLength,
            SimQueuePair queuePair,
            int sourceQpn,
            int flags,
            int immediate,
            boolean solicited) {
        boolean announce;
        boolean firstLoss;
        boolean room;
        synchronized (ring) {
            room = !overrun && !ring.isFull();
            if (room) {
                entry.wrap(queue.slots(), queue.offset(ring.producer()))
                        .set(
                                workRequestId,
                                status,
                                opcode,
                                byteLength,
                                queuePair.number(),
                                sourceQpn,
                                flags,
                                immediate);
                ring.produce();
            }
            firstLoss = !room && !overrun;
            overrun |= !room;
            boolean important = solicited || status != WorkCompletionStatus.SUCCESS;
            announce = room && armed != null && (important || armed == Notification.NEXT_COMPLETION);
            if (announce) {
                armed = null;
            }
        }
        if (firstLoss) {
            context.events().raise(AsyncEvent.ofCompletionQueue(AsyncEventType.CQ_ERROR, this), eventHandler);
            for (Object user : users.list()) {
                ((SimQueuePair) user).fail();
            }
        }
        if (announce) {
            announce();
        }
        context.simRuntime().wakeUp();
        return room;
    }

    private void announce() {
        if (announcer != null) {
            announcer.schedule();
        } else if (channel != null) {
            channel.announce(this);
        }
    }

    @Override
    public void resize(int capacity) throws VerbsException {
        throw new CapabilityException(Capability.CQ_RESIZE, "ibv_resize_cq", context.name());
    }

    private void checkOpen(String verb) {
        if (users.isClosed()) {
            throw new IllegalStateException(verb + ": " + this + " is closed");
        }
    }

    @Override
    public void close() throws VerbsException {
        if (users.close("ibv_destroy_cq", this)) {
            if (announcer != null) {
                announcer.disable();
            }
            if (channel != null) {
                channel.detach(this);
            }
            context.events().forget(this);
            context.children().remove(this);
        }
    }

    @Override
    public String toString() {
        return "CQ of " + ring.capacity() + " entries on " + context.name();
    }
}
