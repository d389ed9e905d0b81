// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/** The owner of a connection or a listener, which receives its indications. */
public interface CmEndpoint {
    /**
     * Receives an indication. Called from inside the engine: the method must not call the engine, only defer
     * work.
     *
     * @param connection the connection; for REQUESTED a new one, and this method must set its owner
     * @param indication the event
     */
    void onIndication(CmConnection connection, CmIndication indication);
}
