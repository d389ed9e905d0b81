// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/** Receives the engine's events ({@link CmIndication}) for the owner of a connection or of a listener. */
public interface CmEndpoint {
    /**
     * Receives an indication. The CM engine is not reentrant: this method must not call the CM engine, but may queue a
     * later call. When this method receives REQUESTED, it must set the owner of the new {@link CmConnection}.
     */
    void onIndication(CmConnection connection, CmIndication indication);
}
