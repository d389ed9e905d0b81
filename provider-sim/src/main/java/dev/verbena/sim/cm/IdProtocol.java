// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.ConnectionParameters;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * The protocol between an rdma_cm ID and its peer. The port space selects either connections or SIDR as the protocol. The
 * connection manager's lock guards all fields, but is not held while a queue pair is modified.
 */
abstract class IdProtocol {
    final CmLock lock;
    final SimRuntime runtime;
    final IdLife life;
    final IdAddress address;
    final IdQueuePair queuePair;

    /** Whether {@code rdma_accept} has released the connection manager's lock in order to modify the queue pair. */
    boolean accepting;

    IdProtocol(CmLock lock, SimRuntime runtime, IdLife life, IdAddress address, IdQueuePair queuePair) {
        this.lock = lock;
        this.runtime = runtime;
        this.life = life;
        this.address = address;
        this.queuePair = queuePair;
    }

    abstract Set<QpType> queuePairTypes();

    final void connect(ConnectionParameters parameters) throws VerbsException {
        String verb = "rdma_connect";
        MemorySegment privateData = Negotiation.privateData(
                verb, parameters.privateData(), life.id().portSpace().maxRequestPrivateData());
        lock.run(() -> {
            life.require(verb, "wait for ROUTE_RESOLVED first", IdState.ROUTE_RESOLVED);
            request(parameters, privateData, address.agent().orElseThrow());
            life.enter(IdState.CONNECT);
        });
    }

    abstract void request(ConnectionParameters parameters, MemorySegment privateData, CmAgent agent)
            throws VerbsException;

    abstract void accept(ConnectionParameters parameters) throws VerbsException;

    final void reject(byte[] privateData) throws VerbsException {
        String verb = "rdma_reject";
        MemorySegment data =
                Negotiation.privateData(verb, privateData, life.id().portSpace().maxRejectPrivateData());
        lock.run(() -> reject(verb, data));
    }

    abstract void reject(String verb, MemorySegment privateData) throws VerbsException;

    abstract void establish() throws VerbsException;

    abstract QpAttributes initQpAttributes(QpState next) throws VerbsException;

    abstract void notifyEstablished() throws VerbsException;

    abstract void disconnect() throws VerbsException;

    abstract void setAckTimeout(AckTimeout timeout) throws VerbsException;

    abstract void destroy();

    abstract String describeState();
}
