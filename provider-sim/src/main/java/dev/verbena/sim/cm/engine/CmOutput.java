// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * The receiver of an engine's messages and deadlines. Called from inside the engine: the methods must not call the
 * engine, only defer work.
 */
public interface CmOutput {
    /** The argument of {@link #wakeAt} if nothing is due. */
    long NEVER = Long.MAX_VALUE;

    /**
     * Sends a MAD.
     *
     * @param source one of the device's addresses
     * @param destination the peer
     * @param mad 256 bytes that no longer change
     */
    void send(Gid source, Gid destination, MemorySegment mad);

    /**
     * Sets the time at which {@link CmEngine#onTime} must be called; replaces the time set before.
     *
     * @param nanoTime the time, or {@link #NEVER}
     */
    void wakeAt(long nanoTime);
}
