// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * One endpoint of a connection: a queue pair, its completion queue, and a memory region of 1 MiB that the peer may read and
 * write. The {@link VerbsNetwork} closes the objects of a {@code QpEnd}. Only one thread at a time may use a {@code QpEnd}.
 * The Javadoc of {@code QueuePair}, {@code MemoryRegion} and {@code CompletionQueue} documents their thread safety.
 */
public final class QpEnd {
    /** The maximum duration of {@link #await()} in virtual time. */
    private static final Duration VIRTUAL_PATIENCE = Duration.ofSeconds(60);

    private static final Duration WALL_PATIENCE = Duration.ofSeconds(10);

    private final Node node;
    private final QueuePair qp;
    private final MemoryRegion region;
    private int requests;
    private int receives;
    private int completions;

    QpEnd(Node node, QueuePair qp, MemoryRegion region) {
        this.node = node;
        this.qp = qp;
        this.region = region;
    }

    /**
     * Returns the node.
     *
     * @return the node of this endpoint
     */
    public Node node() {
        return node;
    }

    /**
     * Returns the queue pair.
     *
     * @return the queue pair, which has the type of the connection
     */
    public QueuePair qp() {
        return qp;
    }

    /**
     * Returns the completion queue of the send queue.
     *
     * @return the send CQ. The send CQ is also the receive CQ, unless {@link Node#connect} or {@link Node#accept}
     *     returned this {@code QpEnd}
     */
    public CompletionQueue cq() {
        return qp.sendCq();
    }

    /**
     * Returns the memory region.
     *
     * @return the region over {@link #memory()}, with LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC
     */
    public MemoryRegion region() {
        return region;
    }

    /**
     * Returns the memory.
     *
     * @return 1 MiB
     */
    public MemorySegment memory() {
        return region.memory();
    }

    /**
     * Writes a text into the memory, in UTF-8.
     *
     * @param offset the offset of the text in bytes
     * @param text the text
     * @return the number of bytes written
     */
    public int write(long offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(bytes, 0, memory(), ValueLayout.JAVA_BYTE, offset, bytes.length);
        return bytes.length;
    }

    /**
     * Reads a text from the memory, in UTF-8.
     *
     * @param offset the offset of the text in bytes
     * @param length the length of the text in bytes
     * @return the text
     */
    public String read(long offset, int length) {
        return new String(memory().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    /**
     * Posts a signaled send request.
     *
     * @param request a function that sets the opcode and the SGEs, such as {@code r -> r.send().sge(region, 0, 14)}
     * @throws VerbsException as {@link QueuePair#postAll(SendRequests, int)}
     */
    public void post(UnaryOperator<SendWorkRequest> request) throws VerbsException {
        SendRequests list = qp.newSendRequests(1);
        request.apply(list.get(0)).signaled();
        qp.postAll(list, 1);
        requests++;
    }

    /**
     * Posts a receive request to the queue pair, or to the shared receive queue that the queue pair uses.
     *
     * @param id the work request id
     * @param offset the offset in bytes of the receive buffer in {@link #memory()}, the memory of this endpoint
     * @param length the maximum length of the message in bytes
     * @throws VerbsException as {@link QueuePair#postAll(ReceiveRequests, int)}
     */
    public void postReceive(long id, long offset, long length) throws VerbsException {
        SharedReceiveQueue srq = qp.srq().orElse(null);
        ReceiveRequests list = srq == null ? qp.newReceiveRequests(1) : srq.newReceiveRequests(1);
        list.get(0).clear().id(id).sge(region, offset, length);
        if (srq == null) {
            qp.postAll(list, 1);
        } else {
            srq.postAll(list, 1);
        }
        receives++;
    }

    /**
     * Waits for the next completion.
     *
     * @return the completion
     * @throws VerbsException {@code ETIMEDOUT} if no completion arrives within 60 seconds of virtual time, or 10 seconds of
     *     wall-clock time
     * @throws InterruptedException if the thread was interrupted
     */
    public WorkCompletion await() throws VerbsException, InterruptedException {
        CompletionQueue receiveCq = qp.receiveCq();
        WorkCompletions next = cq().newCompletions(1);
        if (receiveCq.equals(cq())) {
            cq().await(next, patience());
        } else {
            awaitEither(receiveCq, next);
        }
        completions++;
        return next.get(0);
    }

    private Duration patience() {
        return node.device().runtime().isVirtual() ? VIRTUAL_PATIENCE : WALL_PATIENCE;
    }

    private void awaitEither(CompletionQueue receiveCq, WorkCompletions into)
            throws VerbsException, InterruptedException {
        if (!node.device().runtime().await(() -> receiveCq.poll(into) > 0 || cq().poll(into) > 0, patience())) {
            throw new VerbsException(
                    Errno.ETIMEDOUT, "ibv_poll_cq", "no completion came.\n" + cq().explain() + receiveCq.explain());
        }
    }

    /** Returns the numbers of post calls and completions, for devices that cannot list their posted work requests. */
    String posted() {
        return node + ": QP " + qp.number() + " (" + qp.type() + ", " + qp.state() + "): post " + requests
                + " times, postReceive " + receives + " times, and " + completions + " completions from await";
    }

    @Override
    public String toString() {
        return "QP " + qp.number() + " of " + node;
    }
}
