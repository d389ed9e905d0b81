// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/** Receives each {@link CmIndication} of a connection or of a listener from the {@link CmEngine}. */
public interface CmEndpoint {
    /**
     * Receives a {@link CmIndication}. The {@link CmEngine} is not reentrant: this method must not call it, but may queue a
     * call for later. For REQUESTED, this method must call {@link CmConnection#setOwner} of the new connection.
     */
    void onIndication(CmConnection connection, CmIndication indication);
}
