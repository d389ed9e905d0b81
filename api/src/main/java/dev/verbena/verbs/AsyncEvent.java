package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a device or one of its objects outside any work request ({@code struct ibv_async_event}).
 *
 * @param type what happened
 * @param device the device
 * @param port the port for events of a port, otherwise 0
 * @param queuePair the queue pair for events of one, otherwise null
 * @param completionQueue the completion queue for events of one, otherwise null
 * @param srq the shared receive queue for events of one, otherwise null
 */
public record AsyncEvent(
        AsyncEventType type,
        Device device,
        int port,
        @Nullable QueuePair queuePair,
        @Nullable CompletionQueue completionQueue,
        @Nullable SharedReceiveQueue srq) {
    /**
     * Makes an event of a device.
     *
     * @param type what happened
     * @param device the device
     * @return the event
     */
    public static AsyncEvent ofDevice(AsyncEventType type, Device device) {
        return new AsyncEvent(type, device, 0, null, null, null);
    }

    /**
     * Makes an event of a port.
     *
     * @param type what happened
     * @param device the device
     * @param port the port, from 1
     * @return the event
     */
    public static AsyncEvent ofPort(AsyncEventType type, Device device, int port) {
        return new AsyncEvent(type, device, port, null, null, null);
    }

    /**
     * Makes an event of a queue pair.
     *
     * @param type what happened
     * @param queuePair the queue pair
     * @return the event
     */
    public static AsyncEvent ofQueuePair(AsyncEventType type, QueuePair queuePair) {
        return new AsyncEvent(type, queuePair.protectionDomain().device(), 0, queuePair, null, null);
    }

    /**
     * Makes an event of a completion queue.
     *
     * @param type what happened
     * @param queue the completion queue
     * @return the event
     */
    public static AsyncEvent ofCompletionQueue(AsyncEventType type, CompletionQueue queue) {
        return new AsyncEvent(type, queue.device(), 0, null, queue, null);
    }

    /**
     * Makes an event of a shared receive queue.
     *
     * @param type what happened
     * @param srq the shared receive queue
     * @return the event
     */
    public static AsyncEvent ofSrq(AsyncEventType type, SharedReceiveQueue srq) {
        return new AsyncEvent(type, srq.protectionDomain().device(), 0, null, null, srq);
    }
}
