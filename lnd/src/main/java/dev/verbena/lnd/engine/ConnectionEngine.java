// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.HealthClass;
import dev.verbena.verbs.Errno;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which messages a connection sends and when: credits, transmit queues and the states of transmit descriptors,
 * by the rules of protocol version 0x12.
 *
 * <p>Three queues: requests that need a reserved credit for their answer; messages that need no credit, which go first;
 * and messages that need one. Pure: calls come one at a time, time is an argument in nanoseconds, posts and completions
 * go through {@link EnginePort}. Source: {@code kiblnd_check_sends_locked} and its callers.
 *
 * @param <T> the owner's transmit descriptors
 */
public final class ConnectionEngine<T extends Transmit> {

    private static final int MAX_NOOPS = 2;

    private enum State {
        WAITING,
        RUNNING,
        STOPPED,
        ABORTED
    }

    private final EnginePort<T> port;
    private final TransmitQueues<T> queues = new TransmitQueues<>();
    private final CreditLedger ledger;
    /** Used only for sending: the fields that a received message needs are copied to this object. */
    private final EngineLimits limits;

    private final int highWater;
    private final boolean keepsAlive;

    private State state = State.WAITING;
    private int sendsPosted;
    private int noopsPosted;
    /** When a NOOP is due if nothing is sent. */
    private long keepaliveAt;

    private boolean checking;
    private boolean checkAgain;

    /**
     * Creates the engine of a connection that is not up yet.
     *
     * @param limits the negotiated limits
     * @param port the verbs side of the connection
     */
    public ConnectionEngine(EngineLimits limits, EnginePort<T> port) {
        this.limits = limits;
        this.port = port;
        highWater = limits.highWater();
        keepsAlive = limits.keepaliveNanos() > 0;
        this.ledger = new CreditLedger(limits.queueDepth());
    }

    /**
     * Starts sending; the keepalive time runs from now.
     *
     * @param now the present time
     */
    public void established(long now) {
        if (state == State.WAITING) {
            state = State.RUNNING;
            keepaliveAt = now + limits.keepaliveNanos();
            checkSends(now);
        }
    }

    /**
     * Takes a message to send. After an abort it fails at once.
     *
     * @param transmit an idle descriptor, or one of PUT_DONE taken back by {@link #reclaim}
     * @param now the present time
     */
    public void queue(T transmit, long now) {
        if (state == State.ABORTED) {
            queues.activate(transmit);
            transmit.fail(-Errno.ECONNABORTED.number(), HealthClass.LOCAL_ERROR);
            abort(transmit);
            return;
        }
        transmit.deadline(now + limits.timeoutNanos());
        queues.add(transmit);
        checkSends(now);
    }

    /**
     * Takes the credits of a received message; to be called before its body is handled.
     *
     * @param count what its header says
     * @param now the present time
     * @return false if these are more than there can be: a protocol error
     */
    public boolean creditsReceived(int count, long now) {
        if (!ledger.receive(count)) {
            return false;
        }
        if (count > 0) {
            checkSends(now);
        }
        return true;
    }

    /**
     * Counts a receive buffer that was posted again.
     *
     * @param effect the effect of the buffer on the credits
     * @param now the present time
     * @return false if the peer had no credit for its message: a protocol error
     */
    public boolean reposted(RepostEffect effect, long now) {
        boolean legal = ledger.repost(effect);
        if (effect != RepostEffect.NONE) {
            checkSends(now);
        }
        return legal;
    }

    /**
     * Ends a SEND.
     *
     * @param transmit the message
     * @param success whether the peer has it
     * @param now the present time
     */
    public void sendCompleted(T transmit, boolean success, long now) {
        sendsPosted--;
        if (transmit.type() == MessageType.NOOP) {
            noopsPosted--;
        }
        transmit.sending(-1);
        if (!success) {
            transmit.waiting(false);
            transmit.fail(-Errno.EIO.number(), HealthClass.REMOTE_DROPPED);
            port.fail(-Errno.EIO.number());
        }
        endIfIdle(transmit);
        checkSends(now);
    }

    /**
     * Finds the request that an answer is for. Only descriptors that wait for an answer count.
     *
     * @param request the type of the request
     * @param cookie what the answer says
     * @return the request, or null if there is none: a protocol error
     */
    public @Nullable T findWaiting(MessageType request, long cookie) {
        return queues.findWaiting(request, cookie);
    }

    /**
     * Ends the wait for an answer; the descriptor is done if its SEND has completed.
     *
     * @param transmit from {@link #findWaiting}
     * @param status a negative errno if it failed, else ignored
     */
    public void answered(T transmit, int status) {
        transmit.waiting(false);
        transmit.fail(status, HealthClass.REMOTE_ERROR);
        endIfIdle(transmit);
    }

    /**
     * Takes back a PUT_REQ that was answered by PUT_ACK, to be queued again as PUT_DONE before anything else happens.
     *
     * @param transmit from {@link #findWaiting}
     */
    public void reclaim(T transmit) {
        queues.deactivate(transmit);
        transmit.waiting(false);
    }

    /**
     * Ends all messages: those without an outstanding SEND fail now, the others when their completion is polled. The
     * queue pair must be in the error state, so that no RDMA write can access the memory of the messages that fail now.
     *
     * @param cause the reason of the connection's end: 0 or a negative errno
     */
    public void abort(int cause) {
        if (state == State.ABORTED) {
            return;
        }
        state = State.ABORTED;
        boolean late = cause == -Errno.ETIMEDOUT.number();
        queues.forEach(transmit -> transmit.fail(-Errno.ECONNABORTED.number(), healthOf(transmit, late)));
        queues.flush().forEach(this::abort);
    }

    private void abort(T transmit) {
        transmit.waiting(false);
        endIfIdle(transmit);
    }

    /** Returns the health class of an aborted message, which depends on the progress of the message. */
    private HealthClass healthOf(T transmit, boolean late) {
        if (transmit.isQueued()) {
            return late ? HealthClass.LOCAL_TIMEOUT : HealthClass.LOCAL_ERROR;
        }
        if (transmit.sending() > 0) {
            return late ? HealthClass.NETWORK_TIMEOUT : HealthClass.REMOTE_DROPPED;
        }
        return HealthClass.REMOTE_TIMEOUT;
    }

    private void endIfIdle(T transmit) {
        if (transmit.isIdle()) {
            queues.deactivate(transmit);
            port.done(transmit);
        }
    }

    /** Ends the messages that {@link #abort} left: the queue pair is destroyed, so no completion will come any more. */
    public void terminate() {
        sendsPosted = 0;
        for (T transmit : queues.flush()) {
            transmit.sending(-transmit.sending());
            endIfIdle(transmit);
        }
    }

    /**
     * Sends the messages for which there are credits and send slots. Called by every other method that can make a
     * difference; the owner calls it from time to time for the sake of keepalives.
     *
     * @param now the present time
     */
    public void checkSends(long now) {
        if (checking) {
            checkAgain = true;
            return;
        }
        checking = true;
        try {
            do {
                checkAgain = false;
                round(now);
            } while (checkAgain);
        } finally {
            checking = false;
        }
    }

    private void round(long now) {
        if (state != State.RUNNING) {
            return;
        }
        queues.admit(ledger);
        if (isNoopNeeded(now)) {
            @Nullable T noop = port.takeNoop();
            if (noop != null) {
                noop.deadline(now + limits.timeoutNanos());
                queues.add(noop);
            }
        }
        for (T next = queues.peek(); next != null && mayPost(next); next = queues.peek()) {
            queues.remove(next);
            post(next, now);
        }
    }

    private boolean mayPost(T transmit) {
        return state == State.RUNNING
                && sendsPosted < limits.concurrentSends()
                && (!transmit.type().needsCredit() || ledger.canSend());
    }

    private void post(T transmit, long now) {
        boolean noop = transmit.type() == MessageType.NOOP;
        if (noop && (noopsPosted == MAX_NOOPS || !isNoopNeeded(now))) {
            port.done(transmit);
            return;
        }
        boolean costs = transmit.type().needsCredit();
        int owed = ledger.send(costs);
        queues.activate(transmit);
        int status;
        try {
            status = port.post(transmit, owed);
        } catch (RuntimeException | Error e) {
            postFailed(transmit, owed, -Errno.EIO.number());
            throw e;
        }
        if (status < 0) {
            postFailed(transmit, owed, status);
            return;
        }
        sendsPosted++;
        noopsPosted += noop ? 1 : 0;
        transmit.sending(1);
        keepaliveAt = now + limits.keepaliveNanos();
    }

    /** Stops sending. The device may have taken part of the message, so its memory is not free before the queue pair is in error. */
    private void postFailed(T transmit, int owed, int status) {
        ledger.undoSend(transmit.type().needsCredit(), owed);
        transmit.waiting(false);
        transmit.fail(status, HealthClass.LOCAL_ERROR);
        state = State.STOPPED;
        port.fail(status);
    }

    private boolean isNoopNeeded(long now) {
        boolean keepalive = keepsAlive && now - keepaliveAt >= 0;
        boolean due = ledger.outstanding() >= highWater || keepalive;
        return due && queues.nothingFree() && (queues.nothingToPayFor() || !ledger.canSend());
    }

    /**
     * Returns whether a message has exceeded its deadline.
     *
     * @param now the present time
     * @return true if the connection must be closed
     */
    public boolean isOverdue(long now) {
        return queues.isOverdue(now);
    }

    /** {@return the SENDs that have not completed, 0 to the limit} */
    public int sendsPosted() {
        return sendsPosted;
    }

    /** {@return the NOOPs that have not completed, 0 to 2} */
    public int noopsPosted() {
        return noopsPosted;
    }

    /** {@return the messages queued, on their way, or waiting for an answer; 0 at rest} */
    public int pending() {
        return queues.size();
    }

    /** {@return the buffers of the peer that may be filled, 0 to the queue depth} */
    public int credits() {
        return ledger.credits();
    }

    /** {@return the credits owed to the peer, 0 to the queue depth} */
    public int outstanding() {
        return ledger.outstanding();
    }

    /** {@return the answers that may still be requested, 0 to the queue depth} */
    public int reserved() {
        return ledger.reserved();
    }

    /**
     * Shows every message that is queued, on its way or waiting for an answer.
     *
     * @param viewer sees each once; changes nothing
     */
    public void forEach(Consumer<T> viewer) {
        queues.forEach(viewer);
    }
}
