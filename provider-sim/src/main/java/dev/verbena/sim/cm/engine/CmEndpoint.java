// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/** Receives the engine's events ({@link CmIndication}) for the owner of a connection or of a listener. */
public interface CmEndpoint {
    /**
     * Receives an indication. The engine is not reentrant: this method must not call the engine, but may queue a later
     * call. On REQUESTED, an implementation must set the owner of the new connection.
     */
    void onIndication(CmConnection connection, CmIndication indication);
}
