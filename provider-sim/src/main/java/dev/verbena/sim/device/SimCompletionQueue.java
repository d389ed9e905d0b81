// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.qp.CompletionTarget;
import dev.verbena.sim.queue.CompletionExplainer;
import dev.verbena.sim.queue.CompletionRing;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.spi.CqModeration;
import dev.verbena.spi.callerruns.CallerRunsHandler;
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
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue ({@code rxe_cq}). Only the thread that owns a send or receive task, and so alone may run it, adds the
 * completions of the task's requests (invariant "Completed by the owner" in docs/architecture.md). Any thread may poll.
 * With many completion queues, each object that is accessed for a completion costs a cache miss. To save a cache miss, the
 * CQ itself is the {@link SimRuntime.Pass} that calls the CQ's event handler. To save further cache misses, the fields that
 * each completion accesses are declared first.
 */
final class SimCompletionQueue implements CompletionQueue, CompletionTarget, SimRuntime.Pass {
    private static final int MOST_EXPLAINED = 4;

    private final boolean survivesOverrun;
    private final boolean announcesErrors;
    private final boolean virtual;
    private volatile boolean overrun;
    private volatile boolean closed;

    // Guarded by the ring's producer lock. The next five fields are primitive and need no GC card marks.

    private boolean armed;
    private boolean armedForAll;
    private boolean moderated;

    private int lostOf;
    private long lost;

    private final CompletionRing ring;
    private final @Nullable ProgressTask announcer;
    private final @Nullable CompletionHandler handler;
    private final SimRuntime runtime;
    /** The port, if it receives packets only in {@link SimPort#progress()}; null if the fabric delivers packets. */
    private final @Nullable SimPort polledPort;

    private final Device device;
    private final Place place;
    private final SimAsyncEvents events;
    private final CompletionExplainer explainer;
    private final Consumer<QueuePair> overrunUser;
    private final Children users = new Children();
    private final @Nullable Object attachment;
    private final @Nullable SimCompletionChannel channel;
    private final @Nullable AsyncEventHandler eventHandler;

    /** The moderation of this CQ, or null before the first call of {@link #moderate}. Guarded by the ring's producer lock. */
    private @Nullable HeldAnnouncement held;

    /**
     * The {@code explainer} diagnoses failed completions of this CQ. After an overrun of this CQ, the CQ calls {@code
     * overrunUser} for each queue pair that uses it; {@code overrunUser} moves the queue pair to ERR.
     */
    SimCompletionQueue(
            Device device,
            Place place,
            SimAsyncEvents events,
            ChannelAdapter adapter,
            CompletionExplainer explainer,
            Consumer<QueuePair> overrunUser,
            CqInitAttributes attributes,
            @Nullable SimCompletionChannel channel) {
        this.device = device;
        this.place = place;
        this.events = events;
        this.explainer = explainer;
        this.overrunUser = overrunUser;
        this.channel = channel;
        ring = new CompletionRing(attributes.capacity());
        survivesOverrun = adapter.has(Quirk.CQ_OVERRUN_GOES_ON);
        announcesErrors = !adapter.has(Quirk.ERRORS_UNSOLICITED);
        attachment = attributes.context();
        eventHandler = attributes.eventHandler();
        runtime = adapter.runtime();
        virtual = runtime.isVirtual();
        polledPort = adapter.port().needsPolling() ? adapter.port() : null;
        handler = attributes.handler();
        announcer = handler == null ? null : runtime.newProgressTask(this, handler instanceof CallerRunsHandler);
    }

    @Override
    public boolean run() {
        if (handler != null) {
            handler.onCompletion(this);
        }
        return false;
    }

    Children users() {
        return users;
    }

    boolean isOf(Device other) {
        return device.equals(other);
    }

    @Override
    public Device device() {
        return device;
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
    public Explanation explain() {
        List<Explanation> queuePairs = users.list().stream()
                .filter(QueuePair.class::isInstance)
                .limit(MOST_EXPLAINED)
                .map(user -> ((QueuePair) user).explain())
                .toList();
        List<String> facts = new ArrayList<>();
        facts.add("capacity: " + capacity());
        for (Explanation each : queuePairs) {
            facts.add(each.title());
            each.facts().forEach(fact -> facts.add("  " + fact));
        }
        return new Explanation(
                toString(),
                facts,
                queuePairs.stream().flatMap(each -> each.rootCause().stream()).findFirst(),
                queuePairs.stream().flatMap(each -> each.findings().stream()).toList(),
                List.of());
    }

    @Override
    public WorkCompletions newCompletions(int capacity) {
        return new SimWorkCompletions(capacity, explainer);
    }

    @Override
    public int poll(WorkCompletions into) {
        if (!(into instanceof SimWorkCompletions batch)) {
            throw new IllegalArgumentException("this batch was made by another provider: " + into);
        }
        checkOpen("ibv_poll_cq");
        int count = take(batch);
        if (count == 0 && polledPort != null && polledPort.progress()) {
            count = take(batch);
        }
        batch.count(count);
        if (count == 0 && virtual) {
            runtime.polledInVain();
        }
        return count;
    }

    private int take(SimWorkCompletions batch) {
        if (!ring.isWorthTaking() && !overrun) {
            return 0;
        }
        ring.beginTaking();
        try {
            checkUsable("ibv_poll_cq");
            return ring.take(batch.entries());
        } finally {
            ring.endTaking();
        }
    }

    @Override
    public void requestNotification(Notification kind) {
        checkOpen("ibv_req_notify_cq");
        ring.lockProducer();
        try {
            checkUsable("ibv_req_notify_cq");
            armed = true;
            armedForAll |= kind == Notification.NEXT_COMPLETION;
        } finally {
            ring.unlockProducer();
        }
    }

    /**
     * Adds a completion ({@code rxe_cq_post}) and raises an event if the CQ is armed for it. Returns false if the CQ is full. A
     * CQ that lost a completion accepts no further completion, because its user cannot know which completion is missing. The
     * queue pairs that use the CQ go to ERR.
     */
    @Override
    public boolean add(
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
        ring.beginAdding();
        try {
            room = !overrun && !ring.isFull();
            if (room) {
                ring.add(workRequestId, status, opcode, byteLength, qpNumber, sourceQpn, flags, immediate);
            }
            tellLoss = !room && !overrun;
            if (!room && lost++ == 0) {
                lostOf = qpNumber;
            }
            if (tellLoss && !survivesOverrun) {
                overrun = true;
            }
            boolean important = solicited || (announcesErrors && status != WorkCompletionStatus.SUCCESS);
            announce = room && armed && (important || armedForAll);
            if (announce && moderated) {
                announce = Objects.requireNonNull(held).isDueWithOneMore();
            }
            if (announce) {
                armed = false;
                armedForAll = false;
            }
        } finally {
            ring.endAdding();
        }
        if (tellLoss) {
            onLoss();
        }
        if (announce) {
            announce();
        }
        runtime.wakeUp();
        return room;
    }

    Optional<String> overrunReport() {
        ring.lockProducer();
        try {
            return lost == 0
                    ? Optional.empty()
                    : Optional.of("a completion queue of " + ring.capacity() + " entries was overrun by QP " + lostOf
                            + "; completions lost: " + lost);
        } finally {
            ring.unlockProducer();
        }
    }

    private void onLoss() {
        events.raise(AsyncEvent.ofCompletionQueue(AsyncEventType.CQ_ERR, this), eventHandler);
        if (!survivesOverrun) {
            for (Object user : users.list()) {
                overrunUser.accept((QueuePair) user);
            }
        }
    }

    @Override
    public void moderate(int count, Duration period) throws VerbsException {
        String verb = "ibv_modify_cq";
        checkOpen(verb);
        device.require(Capability.CQ_MODERATION, verb);
        CqModeration wanted = CqModeration.check(count, period);
        boolean due;
        ring.lockProducer();
        try {
            HeldAnnouncement existing = held;
            if (existing == null) {
                held = new HeldAnnouncement(runtime, wanted, this::onPeriod);
                moderated = true;
                due = false;
            } else {
                due = existing.change(wanted) && disarm();
            }
        } finally {
            ring.unlockProducer();
        }
        if (due) {
            announce();
        }
    }

    private void onPeriod() {
        boolean due;
        ring.lockProducer();
        try {
            due = !closed && Objects.requireNonNull(held).isDue() && disarm();
        } finally {
            ring.unlockProducer();
        }
        if (due) {
            announce();
            runtime.wakeUp();
        }
    }

    private boolean disarm() {
        boolean was = armed;
        armed = false;
        armedForAll = false;
        return was;
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
        device.require(Capability.CQ_RESIZE, verb);
        int most = device.attributes().maxCqe();
        if (capacity < 1 || capacity > most) {
            throw new VerbsException(Errno.EINVAL, verb, "capacity " + capacity + " is not in 1.." + most);
        }
        int present = ring.resize(capacity);
        if (present > capacity) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    present + " completions in the queue do not fit " + capacity + " entries; poll them first");
        }
    }

    /** Removes the completions of a queue pair that is reset or closed. The tasks of the queue pair must not be running. */
    void purge(int qpNumber) {
        ring.remove(qpNumber);
    }

    private void checkOpen(String verb) {
        if (closed) {
            throw new IllegalStateException(verb + ": " + this + " is closed");
        }
    }

    /** Fails if the CQ has overrun and is empty. Completions added before the overrun can still be polled. */
    private void checkUsable(String verb) {
        if (overrun && ring.isEmpty()) {
            throw new IllegalStateException(
                    verb + ": " + this
                            + " was full and lost a completion, as the event CQ_ERR reported; close it with its queue pairs and make a larger one");
        }
    }

    @Override
    public void close() throws VerbsException {
        if (users.close("ibv_destroy_cq", this)) {
            closed = true;
            closeModeration();
            if (announcer != null) {
                announcer.disable();
            }
            if (channel != null) {
                channel.detach(this);
            }
            events.forget(this);
            place.remove(this);
        }
    }

    private void closeModeration() {
        ring.lockProducer();
        try {
            if (held != null) {
                held.close();
            }
        } finally {
            ring.unlockProducer();
        }
    }

    @Override
    public String toString() {
        return "CQ of " + capacity() + " entries on " + device.name();
    }
}
