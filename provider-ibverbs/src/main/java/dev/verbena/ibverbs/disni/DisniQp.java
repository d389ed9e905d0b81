// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.StatefulVerbCall;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.spi.AbstractQueuePair;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.List;

/**
 * The queue pair of a connection id. This class derives the state of the queue pair from the id's CM events and from
 * the queue pair's completions.
 */
final class DisniQp extends AbstractQueuePair {
    private static final long RECEIVE = 1L << 31;
    private static final int SERIAL_SHIFT = 32;

    private final DisniPd domain;
    private final QueuePairs queuePairs;
    private final List<Dependents> users;
    private final QpInitAttributes initial;
    private final IbvQP qp;
    private final int serial;
    private final UseGuard guard;
    private final UseGuard.Ending ending;
    private final PostedIds sends;
    private final PostedIds receives;
    private volatile QpState state = QpState.INIT;

    /**
     * Creates the Java object for a queue pair of DiSNI. The argument {@code users} contains the {@link Dependents} of the
     * protection domain and of both completion queues. The callback {@code ending} destroys the queue pair.
     */
    DisniQp(
            DisniPd domain,
            QueuePairs queuePairs,
            List<Dependents> users,
            QpInitAttributes initial,
            IbvQP qp,
            int number,
            UseGuard.Ending ending) {
        super(domain, number, initial);
        this.domain = domain;
        this.queuePairs = queuePairs;
        this.users = users;
        this.initial = initial;
        this.qp = qp;
        this.ending = ending;
        serial = queuePairs.newSerial();
        guard = new UseGuard("QP " + number + " of " + domain.device());
        sends = new PostedIds(initial.capabilities().maxSendWr());
        receives = new PostedIds(initial.capabilities().maxReceiveWr());
    }

    int serial() {
        return serial;
    }

    DisniContext opened() {
        return domain.context();
    }

    @Override
    protected boolean signalsAll() {
        return initial.signalAll();
    }

    void requireOpen() {
        if (guard.isClosed()) {
            throw guard.closed();
        }
    }

    /** Records the state to which a CM event has moved the queue pair. */
    void setState(QpState to) {
        state = to;
    }

    PostRefusal send(long id, IbvSendWR request) throws IOException {
        if (state != QpState.RTS && state != QpState.ERR) {
            return guard.isClosed() ? PostRefusal.CLOSED : PostRefusal.WRONG_STATE;
        }
        return post(sends, id, 0, token -> {
            request.setWr_id(token);
            return opened().library().verbs().postSend(qp, List.of(request), List.of());
        });
    }

    PostRefusal receive(long id, IbvRecvWR request) throws IOException {
        return post(receives, id, RECEIVE, token -> {
            request.setWr_id(token);
            return opened().library().verbs().postRecv(qp, List.of(request), List.of());
        });
    }

    private interface Posting {
        StatefulVerbCall<?> prepare(long token) throws IOException;
    }

    /** Posts a request. A lock ensures that the work request ids are recorded in the order of the posts. */
    private PostRefusal post(PostedIds queue, long id, long kind, Posting posting) throws IOException {
        if (!guard.tryEnter()) {
            return PostRefusal.CLOSED;
        }
        try {
            synchronized (queue) {
                if (queue.isFull()) {
                    return PostRefusal.QUEUE_FULL;
                }
                int position = queue.add(id);
                boolean taken = false;
                try {
                    execute(posting.prepare((long) serial << SERIAL_SHIFT | kind | position));
                    taken = true;
                } finally {
                    if (!taken) {
                        queue.removeLatest();
                    }
                }
            }
            return PostRefusal.NONE;
        } finally {
            guard.exit();
        }
    }

    private static void execute(StatefulVerbCall<?> call) throws IOException {
        try {
            call.execute();
        } finally {
            call.free();
        }
    }

    static int serialOf(long token) {
        return (int) (token >>> SERIAL_SHIFT);
    }

    static boolean isReceive(long token) {
        return (token & RECEIVE) != 0;
    }

    /** Removes a completed request and the unsignaled ones before it, and returns the application's request id. */
    long complete(long token, boolean success) {
        if (!success) {
            state = QpState.ERR;
        }
        PostedIds queue = isReceive(token) ? receives : sends;
        synchronized (queue) {
            return queue.complete((int) (token & (RECEIVE - 1)));
        }
    }

    @Override
    public QpType type() {
        return QpType.RC;
    }

    @Override
    public QpState state() {
        return state;
    }

    /** Throws {@link CapabilityException}, because DiSNI's call ignores the attributes and reports success. */
    @Override
    public void modify(QpAttributes attributes) throws VerbsException {
        throw new CapabilityException(
                Capability.MANUAL_CONNECT, "ibv_modify_qp", domain.device().name());
    }

    @Override
    public SendRequests newSendRequests(int count) {
        return new DisniSendRequests(this, count);
    }

    @Override
    public ReceiveRequests newReceiveRequests(int count) {
        return new DisniReceiveRequests(this, count);
    }

    @Override
    public int postSend(SendRequests requests, int first, int count) {
        return DisniSendRequests.of(requests, this).postAll(first, count);
    }

    @Override
    public int postReceive(ReceiveRequests requests, int first, int count) {
        return DisniReceiveRequests.of(requests, this).postAll(first, count);
    }

    @Override
    public void close() throws VerbsException {
        if (guard.end(ending)) {
            queuePairs.remove(this);
            users.forEach(each -> each.remove(this));
        }
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
