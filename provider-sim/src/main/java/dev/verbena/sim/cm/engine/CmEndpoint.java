// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/** The owner of a connection or a listener, which receives its indications. */
public interface CmEndpoint {
    /**
     * Receives an indication. The engine calls this method, so the method must not call the engine, only defer work. For the
     * indication REQUESTED, {@code connection} is new, and this method must set the owner of the connection.
     */
    void onIndication(CmConnection connection, CmIndication indication);
}
