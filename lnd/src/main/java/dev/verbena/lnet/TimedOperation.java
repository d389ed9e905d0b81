// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An LNet operation with a timeout. Either the local node or another node starts the operation. A {@code TimedOperation}
 * completes once: with success, with an error, or with {@code -ETIMEDOUT} after the timeout. Until the operation completes,
 * LNet may access the operation's buffer. Thread-safe.
 *
 * <p>LNet itself has no timeout for a REPLY, an ACK or another message of a peer.
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
     * The result of an operation.
     *
     * @param status 0, or a negative errno; {@code -ETIMEDOUT} if the timeout expired or {@link #cancel} was called
     * @param length the number of bytes in the last event that is not a SEND event. A PUT, GET or REPLY event has the
     *     number of transferred bytes. An ACK event has the number of bytes that the target accepted. The length of an
     *     UNLINK event is 0
     */
    public record Result(int status, long length) {

        /** {@return whether the status is 0} */
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
     * @param node the node that starts the operation
     * @param memory a builder of a memory descriptor for the operation's payload. The builder's threshold must equal the
     *     number of LNet events of the operation. {@code start} replaces the builder's event handler or event queue
     * @param timeout the timeout after which the operation completes with {@code -ETIMEDOUT}
     * @param begin a function that passes the memory descriptor to {@link Lnet#put}, {@link Lnet#get} or {@link
     *     Lnet#attach}. If {@code begin} throws an exception and the memory descriptor is still unused, the operation has
     *     not begun, and {@code start} throws the same exception. If {@code begin} throws an exception after LNet has begun
     *     to use the memory descriptor, the operation continues, and a {@link VerbsRuntime} timer throws the same exception
     * @param ended the consumer that an event handler calls once, with the result; not called if this method throws
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

    /** Cancels the operation after its messages in progress are finalized; has no effect on a completed operation. */
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
