// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * The operations that the connection manager's engine needs: sending MADs and setting the engine's next deadline. An
 * implementation of {@code CmOutput} must not call the connection manager's engine, which is not reentrant, but may
 * queue work that calls the engine later.
 */
public interface CmOutput {
    /** The argument of {@link #wakeAt} if the {@link CmEngine} has no deadline. */
    long NEVER = Long.MAX_VALUE;

    /** Sends a MAD of 256 bytes; the caller does not change the bytes afterwards. */
    void send(Gid source, Gid destination, MemorySegment mad);

    /** Requests a call of {@link CmEngine#onTime} at this time in nanoseconds. Cancels the previous request. */
    void wakeAt(long nanoTime);
}
