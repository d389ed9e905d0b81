package dev.verbena.sim.cm;

import dev.verbena.cm.ConnectionParameters;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.util.Set;

/** What an id has to do with its peer, as its port space has it: a connection, or a queue pair that is asked for. */
interface IdTalk {
    /** Talks as the port space has it. */
    static IdTalk of(SimConnectionManager manager, SimConnectionId id, IdLife life, IdAddress address, IdQueuePair qp) {
        return switch (id.portSpace()) {
            case TCP, IB -> new IdHandshake(manager, id, life, address, qp);
            case UDP, IPOIB -> new IdLookup(manager, id, life, address, qp);
        };
    }

    /** {@return which queue pairs the id may have} Under the lock. */
    Set<QpType> queuePairTypes();

    /** {@return what the id offers when it listens} */
    CmService service();

    void connect(ConnectionParameters parameters) throws VerbsException;

    void accept(ConnectionParameters parameters) throws VerbsException;

    void reject(byte[] privateData) throws VerbsException;

    void establish() throws VerbsException;

    QpAttributes initQpAttributes(QpState next) throws VerbsException;

    void notifyEstablished() throws VerbsException;

    void disconnect() throws VerbsException;

    void setAckTimeout(AckTimeout timeout) throws VerbsException;

    /** The id goes. Under the lock. */
    void destroy();

    /** {@return the talk's state as part of the id's, or nothing} */
    String describeState();
}
