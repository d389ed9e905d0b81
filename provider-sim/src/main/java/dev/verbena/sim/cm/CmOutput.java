package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/** Where an engine's messages and deadlines go. Called from inside the engine: it must not call back into it, only note. */
interface CmOutput {
    /** What {@link #wakeAt} is given when nothing is due. */
    long NEVER = Long.MAX_VALUE;

    /**
     * Sends a MAD.
     *
     * @param source one of the device's addresses
     * @param destination the peer
     * @param mad 256 bytes that nobody changes any more
     */
    void send(Gid source, Gid destination, MemorySegment mad);

    /**
     * Says when {@link CmEngine#onTime} has to be called; replaces what was said before.
     *
     * @param nanoTime the time, or {@link #NEVER}
     */
    void wakeAt(long nanoTime);
}
