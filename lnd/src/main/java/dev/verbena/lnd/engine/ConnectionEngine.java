// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.HealthClass;
import dev.verbena.verbs.Errno;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which messages a connection sends, and when, by the credit rules of protocol version 0x12.
 *
 * <p>A connection has three queues of outgoing messages. The first queue contains requests that wait until a credit is
 * reserved for the response. Messages that need a credit wait in the second queue. The third queue contains messages that
 * need no credit, and has priority over the second queue. Callers must serialize their calls, and pass the current time in
 * nanoseconds. Source: {@code kiblnd_check_sends_locked} and its callers.
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
    /**
     * The limits for sending. The constructor derives {@code highWater} and {@code keepsAlive} from {@code limits}, for the
     * check whether a NOOP is due.
     */
    private final EngineLimits limits;

    private final int highWater;
    private final boolean keepsAlive;

    private State state = State.WAITING;
    private int sendsPosted;
    private int noopsPosted;
    /** The time at which a NOOP is due unless a message is sent earlier. */
    private long keepaliveAt;

    private boolean checking;
    private boolean checkAgain;

    public ConnectionEngine(EngineLimits limits, EnginePort<T> port) {
        this.limits = limits;
        this.port = port;
        highWater = limits.highWater();
        keepsAlive = limits.keepaliveNanos() > 0;
        this.ledger = new CreditLedger(limits.queueDepth());
    }

    /** Starts sending. If the keepalive time is not 0, the keepalive time begins now. */
    public void established(long now) {
        if (state == State.WAITING) {
            state = State.RUNNING;
            keepaliveAt = now + limits.keepaliveNanos();
            checkSends(now);
        }
    }

    /**
     * Queues a transmit descriptor that is idle or was reclaimed. If {@code abort} was called before, the message of the
     * transmit descriptor fails immediately.
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
     * Adds a received message's credits. The caller must add a message's credits before it handles the message.
     *
     * @return false if the peer returned more credits than this node had used, which is a protocol error
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
     * Counts a receive buffer that the node has posted again.
     *
     * @return false if the peer had sent a message without having a credit, which is a protocol error
     */
    public boolean reposted(RepostEffect effect, long now) {
        boolean legal = ledger.repost(effect);
        if (effect != RepostEffect.NONE) {
            checkSends(now);
        }
        return legal;
    }

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
     * Returns the request that waits for a response with this cookie. If no request waits for the response, the peer
     * has violated the protocol, and this method returns null.
     */
    public @Nullable T findWaiting(MessageType request, long cookie) {
        return queues.findWaiting(request, cookie);
    }

    /** Records that the response to a message has arrived. The message completes when its SEND has completed too. */
    public void answered(T transmit, int status) {
        transmit.waiting(false);
        transmit.fail(status, HealthClass.REMOTE_ERROR);
        endIfIdle(transmit);
    }

    /**
     * Removes the transmit descriptor of a PUT_REQ whose PUT_ACK has arrived. To send the PUT_DONE, the caller must
     * queue the same transmit descriptor again.
     */
    public void reclaim(T transmit) {
        queues.deactivate(transmit);
        transmit.waiting(false);
    }

    /**
     * Fails all messages. A message without an outstanding SEND completes immediately; any other message completes when the
     * completion of its SEND is polled. The queue pair must already be in the error state, because otherwise RDMA WRITEs
     * could access a message's memory after the message has completed. {@code cause} is 0 or a negative errno.
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

    /** Completes the messages whose SEND is outstanding. The caller must have destroyed the queue pair. */
    public void terminate() {
        sendsPosted = 0;
        for (T transmit : queues.flush()) {
            transmit.sending(-transmit.sending());
            endIfIdle(transmit);
        }
    }

    /**
     * Posts each queued message if the credit and the send slots that it needs are free. The LND must also call this method
     * periodically, so that the method can send keepalive NOOPs.
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

    /**
     * Stops sending after {@link EnginePort#post} has failed. The device may still execute some work requests of the
     * message, so the message's memory must not be freed yet.
     */
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

    /** Returns true if a message has passed its deadline; a caller that gets true must close the connection. */
    public boolean isOverdue(long now) {
        return queues.isOverdue(now);
    }

    public int sendsPosted() {
        return sendsPosted;
    }

    public int noopsPosted() {
        return noopsPosted;
    }

    public int pending() {
        return queues.size();
    }

    public int credits() {
        return ledger.credits();
    }

    public int outstanding() {
        return ledger.outstanding();
    }

    public int reserved() {
        return ledger.reserved();
    }

    public void forEach(Consumer<T> viewer) {
        queues.forEach(viewer);
    }
}
