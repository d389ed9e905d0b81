package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.internal.EventQueue;
import dev.verbena.ibverbs.struct.IbvAsyncEvent;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The asynchronous events of a context, which the event thread reads. */
final class NativeAsyncEvents implements AsyncEventChannel, EventLoop.Source {
    private static final String VERB = "ibv_get_async_event";

    private final NativeDevice device;
    private final MemorySegment context;
    private final int descriptor;

    /** The most events kept, the newest, for a program that takes none or has a handler that blocks. */
    static final int MOST_UNCLAIMED = 1 << 12;

    /** Events of objects that have a handler of their own, and all others. */
    private final EventQueue<AsyncEvent> ofObjects;

    private final EventQueue<AsyncEvent> ofDevice;

    NativeAsyncEvents(NativeDevice device, MemorySegment context, Descriptors descriptors) throws VerbsException {
        this.device = device;
        this.context = context;
        descriptor = context.get(JAVA_INT, IbvContext.ASYNC_FD);
        ofObjects = new EventQueue<>(VERB, device.toString(), MOST_UNCLAIMED);
        ofDevice = new EventQueue<>(VERB, device.toString(), MOST_UNCLAIMED);
        ofObjects.setHandler(NativeAsyncEvents::callHandlerOfObject);
        descriptors.doNotBlock(descriptor);
    }

    int descriptor() {
        return descriptor;
    }

    /** Handlers run outside the guard of the context, so that they may close the device. */
    @Override
    public void drain() {
        if (device.handle().tryEnter()) {
            try {
                read();
            } finally {
                device.handle().exit();
            }
        }
        ofObjects.handOver();
        ofDevice.handOver();
    }

    private void read() {
        try (Arena arena = Arena.ofConfined()) {
            ContextCalls calls = device.library().contexts();
            MemorySegment callState = CallState.allocate(arena);
            MemorySegment raw = arena.allocate(IbvAsyncEvent.LAYOUT);
            while (calls.getAsyncEvent(callState, context, raw) == 0) {
                // Destroying the object waits for the acknowledgement. So the pointer is valid until then, and closing
                // the object removes the events that were queued before the acknowledgement.
                WallRuntime.shielded(() -> decode(raw).ifPresent(this::enqueue));
                calls.ackAsyncEvent(raw);
            }
        }
    }

    private Optional<AsyncEvent> decode(MemorySegment raw) {
        int code = raw.get(JAVA_INT, IbvAsyncEvent.EVENT_TYPE);
        AsyncEventType type = AsyncEventType.of(code);
        if (type == AsyncEventType.UNKNOWN) {
            // A kind of a later kernel; the object of the event is not known either.
            return Optional.of(AsyncEvent.ofDevice(code, device));
        }
        QueueTable open = device.queues();
        return switch (type.subject()) {
            case DEVICE, WQ ->
                Optional.of(AsyncEvent.ofDevice(type, device)); // This library has no object for a work queue.
            case PORT -> Optional.of(AsyncEvent.ofPort(type, device, raw.get(JAVA_INT, IbvAsyncEvent.ELEMENT)));
            case CQ ->
                open.find(element(raw), NativeCq.class).map(queue -> {
                    queue.isBroken();
                    return AsyncEvent.ofCompletionQueue(type, queue);
                });
            case QP -> open.find(element(raw), NativeQp.class).map(qp -> AsyncEvent.ofQueuePair(type, qp));
            case SRQ -> open.find(element(raw), NativeSrq.class).map(srq -> AsyncEvent.ofSrq(type, srq));
        };
    }

    private static MemorySegment element(MemorySegment raw) {
        return raw.get(ADDRESS, IbvAsyncEvent.ELEMENT);
    }

    private void enqueue(AsyncEvent event) {
        (handlerOf(event) == null ? ofDevice : ofObjects).enqueue(event);
    }

    private static void callHandlerOfObject(AsyncEvent event) {
        AsyncEventHandler own = handlerOf(event);
        if (own != null) {
            own.onAsyncEvent(event);
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

    /** An object was closed: removes its events. */
    void forget(Object closed) {
        ofObjects.remove(event -> isAbout(event, closed));
        ofDevice.remove(event -> isAbout(event, closed));
    }

    private static boolean isAbout(AsyncEvent event, Object object) {
        return object.equals(event.queuePair()) || object.equals(event.completionQueue()) || object.equals(event.srq());
    }

    @Override
    public Optional<AsyncEvent> poll() {
        return ofDevice.poll();
    }

    @Override
    public Optional<AsyncEvent> await(Duration timeout) throws VerbsException, InterruptedException {
        return ofDevice.await(timeout);
    }

    @Override
    public void setHandler(@Nullable AsyncEventHandler newHandler) {
        ofDevice.setHandler(newHandler == null ? null : newHandler::onAsyncEvent);
    }

    /** The device is closed. */
    void end() {
        ofDevice.close();
    }
}
