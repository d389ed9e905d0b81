// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.verbena.ibverbs.data.ExtendedPoll;
import dev.verbena.ibverbs.data.NativeCompletions;
import dev.verbena.ibverbs.event.NativeChannel;
import dev.verbena.ibverbs.event.QueueTable;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.internal.Use;
import dev.verbena.ibverbs.library.DataCalls;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.NativeObject;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.struct.IbvCq;
import dev.verbena.ibverbs.struct.IbvModifyCqAttr;
import dev.verbena.spi.CqModeration;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionHandler;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A completion queue of libibverbs. */
public final class NativeCq extends NativeObject implements CompletionQueue {
    private final Device device;
    private final NativeContext nativeContext;
    private final QueueTable queues;
    private final CqInitAttributes attributes;
    private final @Nullable NativeChannel channel;
    private final DataCalls data;

    /** The functions that poll completions with timestamps; null if this completion queue reports no timestamps. */
    private final @Nullable ExtendedPoll extended;

    private volatile int capacity;
    private volatile boolean broken;

    NativeCq(
            Device device,
            NativeContext nativeContext,
            QueueTable queues,
            CqInitAttributes attributes,
            @Nullable NativeChannel channel,
            MemorySegment cq) {
        super("completion queue 0x" + Long.toHexString(cq.address()) + " of " + device, cq);
        this.device = device;
        this.nativeContext = nativeContext;
        this.queues = queues;
        this.attributes = attributes;
        this.channel = channel;
        data = nativeContext.data();
        extended = attributes.timestamps() ? new ExtendedPoll(cq) : null;
        capacity = cq.get(JAVA_INT, IbvCq.CQE);
    }

    static void checkCapacity(int capacity, DeviceAttributes limits, String verb) throws VerbsException {
        if (capacity < 1 || capacity > limits.maxCqe()) {
            throw Refusals.invalid(verb, capacity + " entries; a completion queue has 1 to " + limits.maxCqe());
        }
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public @Nullable Object context() {
        return attributes.context();
    }

    @Override
    public Optional<CompletionChannel> channel() {
        return Optional.ofNullable(channel);
    }

    @Override
    public WorkCompletions newCompletions(int capacity) {
        return new NativeCompletions(capacity);
    }

    @Override
    public int poll(WorkCompletions into) {
        NativeCompletions batch = (NativeCompletions) into;
        NativeHandle guarded = handle();
        Use use = guarded.begin();
        if (use.isNone()) {
            batch.filled(0);
            throw guarded.closed();
        }
        int count;
        try {
            if (extended == null) {
                count = data.pollCq(guarded.address(), batch.capacity(), batch.address());
                batch.unstamped();
            } else {
                count = extended.poll(batch);
            }
        } finally {
            guarded.done(use);
            Reference.reachabilityFence(batch);
        }
        if (count < 0 || (count == 0 && broken)) {
            batch.filled(0);
            throw brokenQueue();
        }
        batch.filled(count);
        return count;
    }

    @Override
    public void requestNotification(Notification kind) {
        handle().requireEnter();
        int refused;
        try {
            refused = data.requestNotify(handle().address(), kind.code());
        } finally {
            handle().exit();
        }
        if (broken) {
            throw brokenQueue();
        }
        if (refused != 0) {
            int errno = Math.abs(refused);
            throw new IllegalStateException(
                    "ibv_req_notify_cq: arming " + this + " failed, errno " + errno + " (" + Errno.of(errno) + ")");
        }
    }

    private IllegalStateException brokenQueue() {
        return new IllegalStateException(this
                + " is broken, most likely because it was full; create a larger one, and create its queue pairs again");
    }

    @Override
    public synchronized void resize(int newCapacity) throws VerbsException {
        String verb = "ibv_resize_cq";
        device.require(Capability.CQ_RESIZE, verb);
        checkCapacity(newCapacity, device.attributes(), verb);
        MemorySegment cq = handle().enter();
        try {
            Outcome.check(
                    verb,
                    "changing " + this + " to " + newCapacity + " entries",
                    "the new capacity must hold the completions that are in the queue",
                    callState -> nativeContext.library().completions().resizeCq(callState, cq, newCapacity));
            capacity = cq.get(JAVA_INT, IbvCq.CQE);
        } finally {
            handle().exit();
        }
    }

    @Override
    public void moderate(int count, Duration period) throws VerbsException {
        String verb = "ibv_modify_cq";
        device.require(Capability.CQ_MODERATION, verb);
        CqModeration wanted = CqModeration.check(count, period);
        MemorySegment cq = handle().enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment moderation = arena.allocate(IbvModifyCqAttr.LAYOUT);
            moderation.set(JAVA_INT, IbvModifyCqAttr.ATTR_MASK, IbvModifyCqAttr.MODERATE);
            moderation.set(JAVA_SHORT, IbvModifyCqAttr.CQ_COUNT, (short) wanted.count());
            moderation.set(JAVA_SHORT, IbvModifyCqAttr.CQ_PERIOD, (short) wanted.micros());
            Outcome.check(
                    verb,
                    "moderating " + this + " to " + count + " completions and " + period,
                    "request smaller values",
                    callState -> nativeContext.ports().modifyCq(callState, cq, moderation));
        } finally {
            handle().exit();
        }
    }

    /** Records that an asynchronous event has reported an error of this completion queue. */
    public void markBroken() {
        broken = true;
    }

    public @Nullable AsyncEventHandler eventHandler() {
        return attributes.eventHandler();
    }

    /** Calls the completion handler if this completion queue is still open. */
    void callHandler() {
        CompletionHandler handler = attributes.handler();
        if (handler != null && !handle().isClosed()) {
            WallRuntime.shielded(() -> handler.onCompletion(this));
        }
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = handle().close(cq -> {
            dependents().requireNone("ibv_destroy_cq", this);
            Outcome.destroy(
                    "ibv_destroy_cq",
                    "closing the " + this,
                    "close what uses it",
                    callState -> nativeContext.library().completions().destroyCq(callState, cq));
        });
        if (closedNow) {
            queues.remove(handle().pointer(), this);
            if (channel != null) {
                channel.forget(this);
            }
            nativeContext.dependents().remove(this);
        }
    }
}
