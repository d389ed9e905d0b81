package dev.verbena.sim.cm;

import dev.verbena.cm.ConnectionParameters;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.util.Set;

/**
 * The protocol of an id with its peer. The port space determines it: a connection, or service ID resolution.
 */
interface IdProtocol {
    /** {@return the types of queue pairs that the id may have} Call only with the lock. */
    Set<QpType> queuePairTypes();

    void connect(ConnectionParameters parameters) throws VerbsException;

    void accept(ConnectionParameters parameters) throws VerbsException;

    void reject(byte[] privateData) throws VerbsException;

    void establish() throws VerbsException;

    QpAttributes initQpAttributes(QpState next) throws VerbsException;

    void notifyEstablished() throws VerbsException;

    void disconnect() throws VerbsException;

    void setAckTimeout(AckTimeout timeout) throws VerbsException;

    /** Ends the protocol, because the id is destroyed. Call only with the lock. */
    void destroy();

    /** {@return the protocol's state as part of the id's; may be empty} */
    String describeState();
}
