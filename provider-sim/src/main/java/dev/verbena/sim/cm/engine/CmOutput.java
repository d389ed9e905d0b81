// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * The receiver of an engine's messages and deadlines. The engine calls the methods of this interface, so they must not call the
 * engine, only defer work.
 */
public interface CmOutput {
    /** The argument of {@link #wakeAt} if the engine has no deadline. */
    long NEVER = Long.MAX_VALUE;

    /** Sends a MAD of 256 bytes; the caller does not change the bytes afterwards. */
    void send(Gid source, Gid destination, MemorySegment mad);

    /** Sets the time in nanoseconds at which {@link CmEngine#onTime} must be called, which replaces the former time. */
    void wakeAt(long nanoTime);
}
