package dev.verbena.sim.device;

import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.Cqe;
import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.sim.runtime.ShortLock;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionHandler;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue: a ring that any engine adds to and any thread polls, each side under a lock of its own, so that the two do
 * not wait for each other.
 */
final class SimCompletionQueue implements CompletionQueue {
    private final SimContext context;
    /** Held by those who take completions out; comes before {@link #adding}. */
    private final ShortLock polling = new ShortLock();
    /** Held by those who add completions. */
    private final ShortLock adding = new ShortLock();

    private final Children users = new Children();
    private final @Nullable Object attachment;
    private final @Nullable SimCompletionChannel channel;
    private final @Nullable AsyncEventHandler eventHandler;
    private final @Nullable ProgressTask announcer;
    private final boolean survivesOverrun;
    private final boolean announcesErrors;
    /** Written under both locks. */
    private volatile WorkQueue queue;

    // Guarded by adding.

    private @Nullable Notification armed;
    private volatile boolean overrun;
    private long lost;
    private int lostOf;

    SimCompletionQueue(SimContext context, CqInitAttributes attributes, @Nullable SimCompletionChannel channel) {
        this.context = context;
        this.channel = channel;
        queue = new WorkQueue(attributes.capacity(), Cqe.LENGTH);
        survivesOverrun = context.device().has(Quirk.CQ_OVERRUN_GOES_ON);
        announcesErrors = !context.device().has(Quirk.ERRORS_UNSOLICITED);
        attachment = attributes.context();
        eventHandler = attributes.eventHandler();
        CompletionHandler handler = attributes.handler();
        announcer = handler == null
                ? null
                : context.simRuntime()
                        .newProgressTask(
                                () -> {
                                    handler.onCompletion(this);
                                    return false;
                                },
                                handler.isInner());
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
        return queue.ring().capacity();
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
        return new SimWorkCompletions(capacity, context.device());
    }

    @Override
    public int poll(WorkCompletions into) {
        if (!(into instanceof SimWorkCompletions batch)) {
            throw new IllegalArgumentException("this batch was made by another provider: " + into);
        }
        checkOpen("ibv_poll_cq");
        int count = take(batch);
        if (count == 0 && context.device().port().progress()) {
            count = take(batch);
        }
        batch.count(count);
        return count;
    }

    private int take(SimWorkCompletions batch) {
        if (queue.ring().isEmpty() && !overrun) {
            return 0;
        }
        int count = 0;
        polling.lock();
        try {
            checkUsable("ibv_poll_cq");
            WorkQueue present = queue;
            Ring ring = present.ring();
            while (count < batch.capacity() && !ring.isEmpty()) {
                batch.slots()
                        .copyFrom(present.slots(), present.offset(ring.consumer()), batch.offset(count), Cqe.LENGTH);
                ring.consume();
                count++;
            }
        } finally {
            polling.unlock();
        }
        return count;
    }

    @Override
    public void requestNotification(Notification kind) {
        checkOpen("ibv_req_notify_cq");
        adding.lock();
        try {
            checkUsable("ibv_req_notify_cq");
            armed = armed == Notification.NEXT_COMPLETION ? armed : kind;
        } finally {
            adding.unlock();
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
            int qpNumber,
            int sourceQpn,
            int flags,
            int immediate,
            boolean solicited) {
        boolean announce;
        boolean tellLoss;
        boolean room;
        adding.lock();
        try {
            WorkQueue present = queue;
            Ring ring = present.ring();
            room = !overrun && !ring.isFull();
            if (room) {
                Cqe.write(
                        present.slots(),
                        present.offset(ring.producer()),
                        workRequestId,
                        status,
                        opcode,
                        byteLength,
                        qpNumber,
                        sourceQpn,
                        flags,
                        immediate);
                ring.produce();
            }
            tellLoss = !room && !overrun;
            if (!room && lost++ == 0) {
                lostOf = qpNumber;
            }
            if (tellLoss && !survivesOverrun) {
                overrun = true;
            }
            boolean important = solicited || (announcesErrors && status != WorkCompletionStatus.SUCCESS);
            announce = room && armed != null && (important || armed == Notification.NEXT_COMPLETION);
            if (announce) {
                armed = null;
            }
        } finally {
            adding.unlock();
        }
        if (tellLoss) {
            onLoss();
        }
        if (announce) {
            announce();
        }
        context.simRuntime().wakeUp();
        return room;
    }

    /** Tells of what was lost, if anything was. */
    Optional<String> overrunReport() {
        adding.lock();
        try {
            return lost == 0
                    ? Optional.empty()
                    : Optional.of("a completion queue of " + queue.ring().capacity() + " entries was overrun by QP "
                            + lostOf + "; completions lost: " + lost);
        } finally {
            adding.unlock();
        }
    }

    private void onLoss() {
        context.events().raise(AsyncEvent.ofCompletionQueue(AsyncEventType.CQ_ERROR, this), eventHandler);
        if (!survivesOverrun) {
            for (Object user : users.list()) {
                ((SimQueuePair) user).fail();
            }
        }
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
        String verb = "ibv_resize_cq";
        checkOpen(verb);
        context.require(Capability.CQ_RESIZE, verb);
        int most = context.attributes().maxCqe();
        if (capacity < 1 || capacity > most) {
            throw new VerbsException(Errno.EINVAL, verb, "capacity " + capacity + " is not in 1.." + most);
        }
        WorkQueue resized = new WorkQueue(capacity, Cqe.LENGTH);
        lockBoth();
        try {
            int present = queue.ring().count();
            if (present > capacity) {
                throw new VerbsException(
                        Errno.EINVAL,
                        verb,
                        present + " completions are in the queue, which " + capacity
                                + " entries do not hold; poll them first");
            }
            queue.moveTo(resized);
            queue = resized;
        } finally {
            unlockBoth();
        }
    }

    private void lockBoth() {
        polling.lock();
        adding.lock();
    }

    private void unlockBoth() {
        adding.unlock();
        polling.unlock();
    }

    /** Takes back the completions of a queue pair that is reset or closed, none of whose engines runs. */
    void purge(SimQueuePair queuePair) {
        Cqe entry = new Cqe();
        lockBoth();
        try {
            Ring ring = queue.ring();
            int keptEnd = ring.consumer();
            for (int slot = ring.consumer(); slot != ring.producer(); slot = ring.next(slot)) {
                if (entry.wrap(queue.slots(), queue.offset(slot)).qpNumber() != queuePair.number()) {
                    queue.slots().copyFrom(queue.slots(), queue.offset(slot), queue.offset(keptEnd), Cqe.LENGTH);
                    keptEnd = ring.next(keptEnd);
                }
            }
            ring.truncate(keptEnd);
        } finally {
            unlockBoth();
        }
    }

    private void checkOpen(String verb) {
        if (users.isClosed()) {
            throw new IllegalStateException(verb + ": " + this + " is closed");
        }
    }

    /** What was there before the queue broke is still good. */
    private void checkUsable(String verb) {
        if (overrun && queue.ring().isEmpty()) {
            throw new IllegalStateException(
                    verb + ": " + this
                            + " was full and lost a completion, as CQ_ERROR told; close it with its queue pairs and make a larger one");
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
            context.device().completionQueues().release();
            context.children().remove(this);
        }
    }

    @Override
    public String toString() {
        return "CQ of " + capacity() + " entries on " + context.name();
    }
}
