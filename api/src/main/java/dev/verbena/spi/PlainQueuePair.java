// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The states and the work queues of a connected queue pair that supports only SEND and receive. The subclass transfers the
 * messages. The completion queues are {@link PlainCompletionQueue}s. Thread-safe.
 *
 * @since 1.0
 */
public abstract class PlainQueuePair extends AbstractQueuePair {
    private final Queue<Posted> sends = new ArrayDeque<>();
    private final Queue<Posted> receives = new ArrayDeque<>();
    private QpState state = QpState.RESET;
    private int destination;

    /**
     * Creates a queue pair in RESET.
     *
     * @param domain the protection domain of the queue pair
     * @param number the queue pair number, 24 bits
     * @param attributes the attributes of the queue pair
     */
    protected PlainQueuePair(ProtectionDomain domain, int number, QpInitAttributes attributes) {
        super(domain, number, attributes);
    }

    /**
     * A posted work request.
     *
     * @param id the work request id, which the completion reports
     * @param signaled whether the request also produces a completion when it succeeds
     * @param entries the scatter/gather entries
     * @since 1.0
     */
    protected record Posted(long id, boolean signaled, List<ScatterGatherEntry> entries) {}

    /**
     * Transfers each message whose send request and receive request are both available. Each post and each change of
     * the queue pair's state calls {@code progress}, without holding a lock.
     */
    protected abstract void progress();

    /** {@return the QPN of the connected queue pair; 0 before RTR} */
    protected final synchronized int destination() {
        return destination;
    }

    /** {@return whether a receive is posted and the state is RTR or RTS, as {@link #takeReceive} requires} */
    protected final synchronized boolean hasReceive() {
        return (state == QpState.RTR || state == QpState.RTS) && !receives.isEmpty();
    }

    /**
     * Removes the oldest send request.
     *
     * @return the send request; null if the send queue is empty or the state is not RTS
     */
    protected final synchronized @Nullable Posted takeSend() {
        return state == QpState.RTS ? sends.poll() : null;
    }

    /**
     * Removes the oldest receive request.
     *
     * @return the receive request; null if the receive queue is empty or the state is neither RTR nor RTS
     */
    protected final synchronized @Nullable Posted takeReceive() {
        return hasReceive() ? receives.remove() : null;
    }

    /**
     * Completes a send request. A failed send moves the queue pair to ERR and flushes all posted requests.
     *
     * @param send a request that {@link #takeSend} returned
     * @param status the status of the completion
     */
    protected final synchronized void completeSend(Posted send, WorkCompletionStatus status) {
        if (send.signaled() || status != WorkCompletionStatus.SUCCESS) {
            ((PlainCompletionQueue) sendCq()).add(send.id(), status.code(), WorkCompletionOpcode.SEND, 0, number());
        }
        flushAfter(status);
    }

    /**
     * Completes a receive request. A failed receive moves the queue pair to ERR and flushes all posted requests.
     *
     * @param receive a request that {@link #takeReceive} returned
     * @param status the status of the completion
     * @param bytes the length of the message in bytes
     */
    protected final synchronized void completeReceive(Posted receive, WorkCompletionStatus status, long bytes) {
        ((PlainCompletionQueue) receiveCq())
                .add(receive.id(), status.code(), WorkCompletionOpcode.RECV, bytes, number());
        flushAfter(status);
    }

    private void flushAfter(WorkCompletionStatus status) {
        if (status != WorkCompletionStatus.SUCCESS && state != QpState.ERR) {
            state = QpState.ERR;
            flush();
        }
    }

    private void flush() {
        while (!sends.isEmpty()) {
            completeSend(sends.remove(), WorkCompletionStatus.WR_FLUSH_ERR);
        }
        while (!receives.isEmpty()) {
            completeReceive(receives.remove(), WorkCompletionStatus.WR_FLUSH_ERR, 0);
        }
    }

    @Override
    public final synchronized QpState state() {
        return state;
    }

    /** Changes the queue pair's state and stores the number of the destination queue pair; other attributes have no effect. */
    @Override
    public void modify(QpAttributes attributes) throws VerbsException {
        synchronized (this) {
            if (attributes.has(QpAttribute.STATE)) {
                enter(attributes.state());
            }
            if (attributes.has(QpAttribute.DEST_QPN)) {
                destination = attributes.destinationQpn();
            }
        }
        progress();
    }

    private void enter(QpState next) throws VerbsException {
        boolean legal = switch (next) {
            case RESET, ERR -> true;
            case INIT -> state == QpState.RESET || state == QpState.INIT;
            case RTR -> state == QpState.INIT;
            case RTS -> state == QpState.RTR || state == QpState.RTS;
            default -> false;
        };
        if (!legal) {
            throw new VerbsException(
                    Errno.EINVAL, "ibv_modify_qp", "QP " + number() + " cannot move from " + state + " to " + next);
        }
        state = next;
        if (next == QpState.ERR) {
            flush();
        } else if (next == QpState.RESET) {
            sends.clear();
            receives.clear();
        }
    }

    @Override
    public SendRequests newSendRequests(int count) {
        return new PlainSendRequests(count);
    }

    @Override
    public ReceiveRequests newReceiveRequests(int count) {
        return new PlainReceiveRequests(count);
    }

    @Override
    public int postSend(SendRequests requests, int first, int count) {
        int taken = ((PlainSendRequests) requests).post(first, count, this::post);
        progress();
        return taken;
    }

    @Override
    public int postReceive(ReceiveRequests requests, int first, int count) {
        int taken = ((PlainReceiveRequests) requests).post(first, count, this::post);
        progress();
        return taken;
    }

    private synchronized PostRefusal post(PlainSendRequests.Request request) {
        if (state != QpState.RTS && state != QpState.ERR) {
            return PostRefusal.WRONG_STATE;
        }
        Posted posted = new Posted(request.id(), request.isSignaled() || signalsAll(), request.entries());
        return post(sends, posted, capabilities().maxSendWr(), capabilities().maxSendSge());
    }

    private synchronized PostRefusal post(PlainReceiveRequests.Request request) {
        if (state == QpState.RESET) {
            return PostRefusal.WRONG_STATE;
        }
        Posted posted = new Posted(request.id(), true, request.entries());
        return post(
                receives, posted, capabilities().maxReceiveWr(), capabilities().maxReceiveSge());
    }

    private PostRefusal post(Queue<Posted> queue, Posted posted, int depth, int entries) {
        if (posted.entries().size() > entries) {
            return PostRefusal.TOO_MANY_SGES;
        }
        if (queue.size() == depth) {
            return PostRefusal.QUEUE_FULL;
        }
        queue.add(posted);
        if (state == QpState.ERR) {
            flush();
        }
        return PostRefusal.NONE;
    }

    /** Closes the queue pair and drops its posted requests. */
    @Override
    public synchronized void close() throws VerbsException {
        enter(QpState.RESET);
    }
}
