// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * Sends the MADs of a {@link CmEngine}, and sets its next deadline. An implementation of {@code CmOutput} must not call the
 * {@link CmEngine}, which is not reentrant, but may queue a call for later.
 */
public interface CmOutput {
    /** The argument of {@link #wakeAt} if the {@link CmEngine} has no deadline. */
    long NEVER = Long.MAX_VALUE;

    /** Sends a MAD of 256 bytes; the caller does not change the bytes afterwards. */
    void send(Gid source, Gid destination, MemorySegment mad);

    /** Requests a call of {@link CmEngine#onTime} at this time in nanoseconds. Cancels the previous request. */
    void wakeAt(long nanoTime);
}
