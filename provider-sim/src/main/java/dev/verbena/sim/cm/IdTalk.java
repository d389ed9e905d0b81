package dev.verbena.sim.cm;

import dev.verbena.cm.ConnectionParameters;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.util.Set;

/**
 * The exchange of an id with its peer. The port space determines its kind: a connection, or a lookup of a queue pair.
 */
interface IdTalk {
    /** Makes the exchange of an id's port space. */
    static IdTalk of(SimConnectionManager manager, SimConnectionId id, IdLife life, IdAddress address, IdQueuePair qp) {
        return switch (id.portSpace()) {
            case TCP, IB -> new IdHandshake(manager, id, life, address, qp);
            case UDP, IPOIB -> new IdLookup(manager, id, life, address, qp);
        };
    }

    /** {@return the types of queue pairs that the id may have} Call only with the lock. */
    Set<QpType> queuePairTypes();

    /** {@return the service that the id offers when it listens} */
    CmService service();

    void connect(ConnectionParameters parameters) throws VerbsException;

    void accept(ConnectionParameters parameters) throws VerbsException;

    void reject(byte[] privateData) throws VerbsException;

    void establish() throws VerbsException;

    QpAttributes initQpAttributes(QpState next) throws VerbsException;

    void notifyEstablished() throws VerbsException;

    void disconnect() throws VerbsException;

    void setAckTimeout(AckTimeout timeout) throws VerbsException;

    /** Ends the exchange, because the id is destroyed. Call only with the lock. */
    void destroy();

    /** {@return the exchange's state as part of the id's; may be empty} */
    String describeState();
}
