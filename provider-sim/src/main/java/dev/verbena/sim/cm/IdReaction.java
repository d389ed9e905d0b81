// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.sim.cm.engine.CmConnection;
import dev.verbena.sim.cm.engine.CmIndication;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Handles a {@link CmIndication}: modifies the queue pair of an rdma_cm ID, and reports an rdma_cm event. */
final class IdReaction {
    private final IdConnection owner;
    private final IdLife life;
    private final CmLock lock;
    private final CmConnection connection;

    IdReaction(IdConnection owner, CmLock lock, CmConnection connection) {
        this.owner = owner;
        this.life = owner.life();
        this.lock = lock;
        this.connection = connection;
    }

    void to(CmIndication indication) {
        int status = indication.status();
        switch (indication.kind()) {
            case REPLIED -> lock.call(() -> owner.reply(connection)).ifPresent(this::onReplied);
            case ESTABLISHED ->
                lock.run(() -> life.emit(
                        CmEventType.ESTABLISHED,
                        0,
                        CmEventData.ofConnection(Negotiation.agreed(connection.communication()))));
            case REJECTED -> {
                Optional<QueuePair> queuePair = lock.call(owner::openQueuePair);
                queuePair.ifPresent(QpDriver::fail);
                byte[] privateData = Negotiation.bytes(indication.privateData());
                lock.run(() -> life.emit(CmEventType.REJECTED, status, CmEventData.ofPrivateData(privateData)));
            }
            case UNREACHABLE -> lock.run(() -> life.emit(CmEventType.UNREACHABLE, status));
            case DISCONNECTED -> lock.run(() -> owner.disconnected(status));
            case TIMEWAIT_EXIT -> lock.run(() -> life.emit(CmEventType.TIMEWAIT_EXIT, status));
            case REQUESTED -> throw new IllegalArgumentException("the listener handles a request");
        }
    }

    private void onReplied(IdReply reply) {
        ConnectionParameters agreed = Negotiation.agreed(connection.communication());
        byte[] privateData = Negotiation.bytes(reply.parameters().privateData());
        if (reply.queuePair().isEmpty()) {
            lock.run(() -> life.emit(CmEventType.CONNECT_RESPONSE, 0, CmEventData.ofConnection(privateData, agreed)));
            return;
        }
        try {
            reply.moveQueuePair("rdma_connect");
        } catch (VerbsException e) {
            failed(e.errno());
            return;
        } catch (RuntimeException | Error e) {
            failed(Errno.EIO);
            throw e;
        }
        lock.run(() -> {
            // `establish()` returns false if the peer has rejected the connection or the rdma_cm ID has been closed.
            if (connection.establish()) {
                life.emit(CmEventType.ESTABLISHED, 0, CmEventData.ofConnection(privateData, agreed));
            }
        });
    }

    private void failed(Errno errno) {
        lock.run(() -> {
            connection.reject(MemorySegment.NULL);
            life.emit(CmEventType.CONNECT_ERROR, -errno.number());
        });
    }
}
