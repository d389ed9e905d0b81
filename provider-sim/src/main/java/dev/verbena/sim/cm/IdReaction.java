package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The reaction of an id to an indication of the engine: moves its queue pair, without the lock, and reports an event.
 */
final class IdReaction {
    private final IdHandshake handshake;
    private final IdLife life;
    private final CmOutbox outbox;
    private final CmConnection connection;

    IdReaction(IdHandshake handshake, CmOutbox outbox, CmConnection connection) {
        this.handshake = handshake;
        this.life = handshake.life();
        this.outbox = outbox;
        this.connection = connection;
    }

    void to(CmIndication indication) {
        int status = indication.status();
        switch (indication.kind()) {
            case REPLIED -> outbox.call(() -> handshake.answer(connection)).ifPresent(this::onReplied);
            case ESTABLISHED ->
                outbox.run(() -> life.emit(
                        CmEventType.ESTABLISHED,
                        0,
                        CmEventData.ofConnection(Negotiation.agreed(connection.dialogue()))));
            case REJECTED -> {
                Optional<QueuePair> queuePair = outbox.call(handshake::openQueuePair);
                queuePair.ifPresent(QpDriver::fail);
                byte[] privateData = Negotiation.bytes(indication.privateData());
                outbox.run(() -> life.emit(CmEventType.REJECTED, status, CmEventData.ofPrivateData(privateData)));
            }
            case UNREACHABLE -> outbox.run(() -> life.emit(CmEventType.UNREACHABLE, status));
            case DISCONNECTED -> outbox.run(() -> handshake.disconnected(status));
            case TIMEWAIT_EXIT -> outbox.run(() -> life.emit(CmEventType.TIMEWAIT_EXIT, status));
            case REQUESTED -> throw new IllegalArgumentException("the listener handles a request");
        }
    }

    private void onReplied(IdAnswer answer) {
        ConnectionParameters agreed = Negotiation.agreed(connection.dialogue());
        byte[] privateData = Negotiation.bytes(answer.reply().privateData());
        if (answer.queuePair().isEmpty()) {
            outbox.run(() -> life.emit(CmEventType.CONNECT_RESPONSE, 0, CmEventData.ofConnection(privateData, agreed)));
            return;
        }
        try {
            answer.moveQueuePair("rdma_connect");
        } catch (VerbsException e) {
            failed(e.errno());
            return;
        } catch (RuntimeException | Error e) {
            failed(Errno.EIO);
            throw e;
        }
        outbox.run(() -> {
            // False if the peer has revoked its REP, or the id was closed, meanwhile.
            if (connection.establish()) {
                life.emit(CmEventType.ESTABLISHED, 0, CmEventData.ofConnection(privateData, agreed));
            }
        });
    }

    private void failed(Errno errno) {
        outbox.run(() -> {
            connection.reject(MemorySegment.NULL);
            life.emit(CmEventType.CONNECT_ERROR, -errno.number());
        });
    }
}
