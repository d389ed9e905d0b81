// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An operation that a node starts, or that it expects from another node. It ends once: when it is complete, has failed,
 * or its time is over. Its memory is the user's again then. Thread-safe.
 *
 * <p>LNet itself has no deadline for a REPLY, an ACK or a message from another node.
 */
public final class TimedOperation {

    private final Lnet node;
    private final MemoryDescriptor descriptor;
    private final Consumer<Result> ended;
    private VerbsRuntime.@Nullable Timer timer;
    private boolean cancelled;
    private boolean over;
    private int status;
    private long length;

    /**
     * How an operation ended.
     *
     * @param status 0, or a negative errno; {@code -ETIMEDOUT} if its time was over, or it was cancelled
     * @param length bytes that the last PUT, GET or REPLY moved here, or that an ACK reported as moved at the target
     */
    public record Result(int status, long length) {

        /**
         * Returns whether the operation succeeded.
         *
         * @return true if the status is 0
         */
        public boolean isSuccess() {
            return status == 0;
        }
    }

    private TimedOperation(Lnet node, MemoryDescriptor.Builder memory, Consumer<Result> ended) {
        this.node = node;
        this.ended = ended;
        descriptor = memory.handler(this::onEvent).build();
    }

    /**
     * Starts an operation.
     *
     * @param node where
     * @param memory describes the memory; its threshold is the number of events of the operation, and its handler or
     *     event queue is replaced
     * @param timeout how long it may take
     * @param begin passes the descriptor to {@link Lnet#put}, {@link Lnet#get} or {@link Lnet#attach}. An exception
     *     that it throws before the descriptor is in use is thrown here, and the operation has not begun. A later one
     *     is thrown by a task of the runtime, and the operation ends as any other.
     * @param ended receives the result once, from an event handler; never if this method throws
     * @return the operation
     */
    public static TimedOperation start(
            Lnet node,
            MemoryDescriptor.Builder memory,
            Duration timeout,
            Consumer<MemoryDescriptor> begin,
            Consumer<Result> ended) {
        TimedOperation operation = new TimedOperation(node, memory, ended);
        try {
            begin.accept(operation.descriptor);
        } catch (RuntimeException | Error thrown) {
            if (operation.descriptor.state() == MemoryDescriptor.State.NEW) {
                throw thrown;
            }
            node.runtime().schedule(Duration.ZERO, () -> {
                throw thrown;
            });
        }
        operation.limit(timeout);
        return operation;
    }

    private synchronized void limit(Duration timeout) {
        if (!over) {
            timer = node.runtime().schedule(timeout, this::cancel);
        }
    }

    /** Cancels the operation; parts in progress end first. One that has ended is left alone. */
    public void cancel() {
        synchronized (this) {
            cancelled = true;
        }
        node.unlink(descriptor);
    }

    private void onEvent(LnetEvent event) {
        Result result;
        synchronized (this) {
            if (event.type() != LnetEventType.SEND) {
                length = event.length();
            }
            if (status == 0) {
                status = event.type() == LnetEventType.UNLINK && cancelled ? -Errno.ETIMEDOUT.number() : event.status();
            }
            over = event.unlinked();
            result = new Result(status, length);
            if (over && timer != null) {
                timer.cancel();
            }
        }
        if (event.unlinked()) {
            ended.accept(result);
        } else if (!result.isSuccess()) {
            node.unlink(event.memoryDescriptor());
        }
    }
}
