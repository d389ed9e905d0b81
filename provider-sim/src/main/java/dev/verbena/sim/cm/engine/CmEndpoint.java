// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/** The owner of a connection or a listener, which receives its indications. */
public interface CmEndpoint {
    /**
     * Receives an indication. The engine calls this method, so the method must not call the engine, only defer work. For the
     * indication REQUESTED, the parameter {@code connection} is a new connection, and this method must set its owner.
     */
    void onIndication(CmConnection connection, CmIndication indication);
}
