package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.internal.Announcements;
import dev.verbena.ibverbs.internal.WallRuntime;
import dev.verbena.ibverbs.struct.IbvAsyncEvent;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The asynchronous events of a context, which the event thread reads. */
final class NativeAsyncEvents implements AsyncEventChannel, EventLoop.Source {
    private final NativeDevice device;
    private final MemorySegment context;
    private final Announcements<AsyncEvent> announcements;
    private @Nullable AsyncEventHandler handler;

    NativeAsyncEvents(NativeDevice device, MemorySegment context, Descriptors descriptors) throws VerbsException {
        this.device = device;
        this.context = context;
        announcements = new Announcements<>("ibv_get_async_event", device.toString());
        descriptors.doNotBlock(descriptor());
    }

    @Override
    public int descriptor() {
        return context.get(JAVA_INT, IbvContext.ASYNC_FD);
    }

    /** Handlers run after the context was left, so that they may close the device. */
    @Override
    public void drain() {
        List<AsyncEvent> events = new ArrayList<>();
        if (!device.handle().tryEnter()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            ContextCalls calls = device.library().contexts();
            MemorySegment callState = CallState.allocate(arena);
            MemorySegment raw = arena.allocate(IbvAsyncEvent.LAYOUT);
            while (calls.getAsyncEvent(callState, context, raw) == 0) {
                // Destroying the object waits for the acknowledgement, so until then the pointer is this object's.
                decode(raw).ifPresent(events::add);
                calls.ackAsyncEvent(raw);
            }
        } finally {
            device.handle().exit();
        }
        events.forEach(this::deliver);
    }

    private Optional<AsyncEvent> decode(MemorySegment raw) {
        int code = raw.get(JAVA_INT, IbvAsyncEvent.EVENT_TYPE);
        if (code < 0 || code >= AsyncEventType.values().length) {
            return Optional.empty(); // Of a kernel that knows more kinds.
        }
        AsyncEventType type = AsyncEventType.of(code);
        OpenQueues open = device.openQueues();
        return switch (type.subject()) {
            case DEVICE -> Optional.of(AsyncEvent.ofDevice(type, device));
            case PORT -> Optional.of(AsyncEvent.ofPort(type, device, raw.get(JAVA_INT, IbvAsyncEvent.ELEMENT)));
            case CQ ->
                open.find(element(raw), NativeCq.class).map(queue -> {
                    queue.isBroken();
                    return AsyncEvent.ofCompletionQueue(type, queue);
                });
            case QP -> open.find(element(raw), NativeQp.class).map(qp -> AsyncEvent.ofQueuePair(type, qp));
            case SRQ -> open.find(element(raw), NativeSrq.class).map(srq -> AsyncEvent.ofSrq(type, srq));
            case WQ -> Optional.empty();
        };
    }

    private static MemorySegment element(MemorySegment raw) {
        return raw.get(ADDRESS, IbvAsyncEvent.ELEMENT);
    }

    private void deliver(AsyncEvent event) {
        AsyncEventHandler own = handlerOf(event);
        AsyncEventHandler taker = own == null ? handler() : own;
        if (taker == null) {
            announcements.add(event);
        } else {
            WallRuntime.shielded(() -> taker.onAsyncEvent(event));
        }
    }

    private static @Nullable AsyncEventHandler handlerOf(AsyncEvent event) {
        if (event.queuePair() instanceof NativeQp qp) {
            return qp.eventHandler();
        }
        if (event.completionQueue() instanceof NativeCq cq) {
            return cq.eventHandler();
        }
        return event.srq() instanceof NativeSrq srq ? srq.eventHandler() : null;
    }

    private synchronized @Nullable AsyncEventHandler handler() {
        return handler;
    }

    /** An object was closed: its events go with it. */
    void forget(Object closed) {
        announcements.removeIf(event -> closed.equals(event.queuePair())
                || closed.equals(event.completionQueue())
                || closed.equals(event.srq()));
    }

    @Override
    public Optional<AsyncEvent> poll() {
        return announcements.poll();
    }

    @Override
    public Optional<AsyncEvent> await(Duration timeout) throws VerbsException, InterruptedException {
        return announcements.await(timeout);
    }

    @Override
    public void setHandler(@Nullable AsyncEventHandler newHandler) {
        synchronized (this) {
            handler = newHandler;
        }
        if (newHandler != null) {
            for (Optional<AsyncEvent> queued = announcements.poll();
                    queued.isPresent();
                    queued = announcements.poll()) {
                newHandler.onAsyncEvent(queued.get());
            }
        }
    }

    /** The device is closed. */
    void end() {
        announcements.close();
    }
}
