// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;

/**
 * Transfers all data in one direction. A bounded number of messages is in flight, each with its own buffer in the
 * initiator's registered memory. Only the thread that calls {@link #run} reads and writes the files; event handlers
 * never read or write them.
 */
public abstract class Transfer {
    /** A transfer fails if none of its messages completes within this time, which exceeds each timeout of the LND. */
    public static final Duration STALL = Duration.ofMinutes(2);

    /** LNet counts a PUT and its ACK, or a GET and its REPLY, as two operations of a memory descriptor. */
    private static final int OPERATIONS = 2;

    private static final int MAX_BUFFERS = 64;
    private static final long MAX_BUFFER_BYTES = 16L << 20;

    private final LnetNode initiator;
    private final long size;
    private final long messageSize;
    private final long messages;
    private final Deque<MemorySegment> buffers = new ArrayDeque<>();
    private final Queue<Message> reported = new ConcurrentLinkedQueue<>();
    private long started;
    private long ended;

    Transfer(LnetNode initiator, long size, long messageSize) {
        this.initiator = initiator;
        this.size = size;
        this.messageSize = messageSize;
        // A transfer of 0 bytes consists of one message without payload.
        messages = Math.max(1, Math.ceilDiv(size, messageSize));
    }

    /** Starts the PUT or GET of one message. The {@code buffer} is as long as the message. */
    abstract void start(long position, MemorySegment buffer, MemoryDescriptor descriptor) throws IOException;

    abstract void finish(long position, MemorySegment buffer) throws IOException;

    /**
     * Transfers all messages, and returns after the last message has completed. Periodically reports the number of bytes
     * transferred. Throws {@link DemoException} if a message failed, or if no message completed within {@link #STALL}.
     */
    void run(LongConsumer progress) throws IOException, VerbsException, DemoException, InterruptedException {
        long wanted = Math.min(messages, Math.clamp(MAX_BUFFER_BYTES / messageSize, 1, MAX_BUFFERS));
        for (long i = 0; i < wanted; i++) {
            buffers.push(initiator.allocate(messageSize));
        }
        while (ended < messages) {
            while (started < messages && !buffers.isEmpty()) {
                startNext(buffers.pop());
            }
            if (!initiator.runtime().await(() -> !reported.isEmpty(), STALL)) {
                throw stalled();
            }
            for (Message message = reported.poll(); message != null; message = reported.poll()) {
                end(message);
            }
            progress.accept(Math.min(size, ended * messageSize));
        }
        buffers.forEach(initiator::free);
    }

    private void startNext(MemorySegment buffer) throws IOException {
        long position = started++ * messageSize;
        MemorySegment part = buffer.asSlice(0, Math.min(messageSize, size - position));
        MemoryDescriptor descriptor = MemoryDescriptor.over(part)
                .threshold(OPERATIONS)
                .handler(event -> onEvent(new Message(position, buffer, event)))
                .build();
        start(position, part, descriptor);
    }

    /**
     * Queues a message after the last LNet event of the message. After the last event of a message, LNet no longer
     * accesses the buffer of the message. A failure event may be the last event of the memory descriptor.
     */
    private void onEvent(Message message) {
        if (message.event.unlinked() || !message.event.isSuccess()) {
            reported.add(message);
            initiator.runtime().wakeUp();
        }
    }

    private void end(Message message) throws IOException, DemoException {
        LnetEvent event = message.event;
        long length = Math.min(messageSize, size - message.position);
        if (!event.isSuccess()) {
            Errno errno = Errno.of(-event.status());
            throw new DemoException(
                    describe(message.position, length) + " failed: " + errno.description() + " (" + errno + ")");
        }
        finish(message.position, message.buffer.asSlice(0, length));
        buffers.push(message.buffer);
        ended++;
    }

    private String describe(long position, long length) {
        return this + " of " + length + " bytes at offset " + position;
    }

    private DemoException stalled() {
        return new DemoException(
                this + ": no message completed for " + STALL.toMinutes() + " minutes; " + ended + " of " + messages
                        + " are complete, " + (started - ended) + " are in flight; connections of A "
                        + initiator.statistics().connections());
    }

    private record Message(long position, MemorySegment buffer, LnetEvent event) {}
}
