// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/** Receives indications for the owner of a connection or of a listener. */
public interface CmEndpoint {
    /**
     * Receives an indication. The connection manager's engine is not reentrant: an implementation must not call the engine, but
     * may queue work that calls the engine later. On REQUESTED, an implementation must set the owner of the new connection.
     */
    void onIndication(CmConnection connection, CmIndication indication);
}
