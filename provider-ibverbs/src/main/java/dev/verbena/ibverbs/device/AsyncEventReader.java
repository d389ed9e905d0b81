// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.event.Descriptors;
import dev.verbena.ibverbs.event.EventLoop;
import dev.verbena.ibverbs.event.NativeAsyncEvents;
import dev.verbena.ibverbs.event.QueueTable;
import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.ContextCalls;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.ibverbs.queue.NativeCq;
import dev.verbena.ibverbs.queue.NativeQp;
import dev.verbena.ibverbs.queue.NativeSrq;
import dev.verbena.ibverbs.struct.IbvAsyncEvent;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads the asynchronous events of a device context, in the device's event thread (ibv_get_async_event(3)). */
public final class AsyncEventReader implements EventLoop.Source {
    private final Device device;
    private final NativeContext context;
    private final QueueTable queues;
    private final NativeAsyncEvents events;
    private final int descriptor;

    AsyncEventReader(
            Device device, NativeContext context, QueueTable queues, NativeAsyncEvents events, Descriptors descriptors)
            throws VerbsException {
        this.device = device;
        this.context = context;
        this.queues = queues;
        this.events = events;
        descriptor = context.handle().pointer().get(JAVA_INT, IbvContext.ASYNC_FD);
        descriptors.doNotBlock(descriptor);
    }

    int descriptor() {
        return descriptor;
    }

    /**
     * Reads the asynchronous events of the device. During the read, {@code tryEnter} prevents the destruction of the device
     * context. The application's handlers run after {@code exit}, so a handler may close the device.
     */
    @Override
    public void drain() {
        if (context.handle().tryEnter()) {
            try {
                read();
            } finally {
                context.handle().exit();
            }
        }
        events.handOver();
    }

    private void read() {
        try (Arena arena = Arena.ofConfined()) {
            ContextCalls calls = context.library().contexts();
            MemorySegment callState = CallState.allocate(arena);
            MemorySegment raw = arena.allocate(IbvAsyncEvent.LAYOUT);
            while (calls.getAsyncEvent(callState, context.handle().pointer(), raw) == 0) {
                // The pointer to the object in an event is valid until the event is acknowledged, because destroying
                // the object waits for the acknowledgement. When a verbs object is destroyed, its queued asynchronous
                // events are removed.
                WallRuntime.shielded(() -> enqueue(raw));
                calls.ackAsyncEvent(raw);
            }
        }
    }

    private void enqueue(MemorySegment raw) {
        int code = raw.get(JAVA_INT, IbvAsyncEvent.EVENT_TYPE);
        AsyncEventType type = AsyncEventType.of(code);
        if (type == AsyncEventType.UNKNOWN) {
            // An event of unknown type may refer to any object, so this method reports the event for the device.
            events.enqueue(AsyncEvent.ofDevice(code, device), null);
            return;
        }
        switch (type.subject()) {
            case DEVICE, WQ -> // This library has no object for a work queue.
                events.enqueue(AsyncEvent.ofDevice(type, device), null);
            case PORT ->
                events.enqueue(AsyncEvent.ofPort(type, device, raw.get(JAVA_INT, IbvAsyncEvent.ELEMENT)), null);
            case CQ ->
                queues.find(element(raw), NativeCq.class).ifPresent(queue -> {
                    queue.markBroken();
                    events.enqueue(AsyncEvent.ofCompletionQueue(type, queue), queue.eventHandler());
                });
            case QP ->
                queues.find(element(raw), NativeQp.class)
                        .ifPresent(qp -> events.enqueue(AsyncEvent.ofQueuePair(type, qp), qp.eventHandler()));
            case SRQ ->
                queues.find(element(raw), NativeSrq.class)
                        .ifPresent(srq -> events.enqueue(AsyncEvent.ofSrq(type, srq), srq.eventHandler()));
        }
    }

    private static MemorySegment element(MemorySegment raw) {
        return raw.get(ADDRESS, IbvAsyncEvent.ELEMENT);
    }
}
