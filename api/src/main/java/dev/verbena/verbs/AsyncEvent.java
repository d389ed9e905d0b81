// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event that a device reports about itself, a port or another object ({@code struct ibv_async_event}). The
 * completion of a work request is not an asynchronous event. Immutable.
 *
 * @since 1.0
 */
public final class AsyncEvent {
    private final AsyncEventType type;
    private final int code;
    private final Device device;
    private final int port;
    private final @Nullable QueuePair queuePair;
    private final @Nullable CompletionQueue completionQueue;
    private final @Nullable SharedReceiveQueue srq;

    private AsyncEvent(
            int code,
            Device device,
            int port,
            @Nullable QueuePair queuePair,
            @Nullable CompletionQueue completionQueue,
            @Nullable SharedReceiveQueue srq) {
        type = AsyncEventType.of(code);
        this.code = code;
        this.device = Objects.requireNonNull(device);
        this.port = port;
        this.queuePair = queuePair;
        this.completionQueue = completionQueue;
        this.srq = srq;
    }

    /**
     * Creates an event of a device.
     *
     * @param type the type of the event
     * @param device the device
     * @return the event
     */
    public static AsyncEvent ofDevice(AsyncEventType type, Device device) {
        return ofDevice(type.code(), device);
    }

    /**
     * Creates a device's event; the reported {@code code} may have no constant in {@link AsyncEventType}.
     *
     * @param code the value of {@code enum ibv_event_type}
     * @param device the device
     * @return the event
     */
    public static AsyncEvent ofDevice(int code, Device device) {
        return new AsyncEvent(code, device, 0, null, null, null);
    }

    /**
     * Creates an event of a port.
     *
     * @param type the type of the event
     * @param device the device
     * @param port the port, from 1
     * @return the event
     */
    public static AsyncEvent ofPort(AsyncEventType type, Device device, int port) {
        return new AsyncEvent(type.code(), device, port, null, null, null);
    }

    /**
     * Creates an event of a queue pair.
     *
     * @param type the type of the event
     * @param queuePair the queue pair
     * @return the event
     */
    public static AsyncEvent ofQueuePair(AsyncEventType type, QueuePair queuePair) {
        return new AsyncEvent(type.code(), queuePair.protectionDomain().device(), 0, queuePair, null, null);
    }

    /**
     * Creates an event of a completion queue.
     *
     * @param type the type of the event
     * @param queue the completion queue
     * @return the event
     */
    public static AsyncEvent ofCompletionQueue(AsyncEventType type, CompletionQueue queue) {
        return new AsyncEvent(type.code(), queue.device(), 0, null, queue, null);
    }

    /**
     * Creates an event of a shared receive queue.
     *
     * @param type the type of the event
     * @param srq the shared receive queue
     * @return the event
     */
    public static AsyncEvent ofSrq(AsyncEventType type, SharedReceiveQueue srq) {
        return new AsyncEvent(type.code(), srq.protectionDomain().device(), 0, null, null, srq);
    }

    /** {@return the type of the event, {@link AsyncEventType#UNKNOWN} if Verbena does not know the type} */
    public AsyncEventType type() {
        return type;
    }

    /** {@return the value of {@code enum ibv_event_type} that the device reported} */
    public int code() {
        return code;
    }

    /** {@return the device} */
    public Device device() {
        return device;
    }

    /** {@return the port number if the event is about a port, otherwise 0} */
    public int port() {
        return port;
    }

    /** {@return the queue pair if the event is about a queue pair, otherwise null} */
    public @Nullable QueuePair queuePair() {
        return queuePair;
    }

    /** {@return the completion queue if the event is about a completion queue, otherwise null} */
    public @Nullable CompletionQueue completionQueue() {
        return completionQueue;
    }

    /** {@return the shared receive queue if the event is about a shared receive queue, otherwise null} */
    public @Nullable SharedReceiveQueue srq() {
        return srq;
    }

    private Components components() {
        return new Components()
                .with("type", type)
                .with("code", code)
                .with("device", device)
                .with("port", port)
                .with("queuePair", queuePair)
                .with("completionQueue", completionQueue)
                .with("srq", srq);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AsyncEvent event && components().equals(event.components());
    }

    @Override
    public int hashCode() {
        return components().hashCode();
    }

    @Override
    public String toString() {
        return "AsyncEvent" + components();
    }
}
