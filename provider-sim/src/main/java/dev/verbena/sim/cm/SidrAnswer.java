package dev.verbena.sim.cm;

import java.lang.foreign.MemorySegment;

/**
 * What a SIDR_REP says.
 *
 * @param status 0, or why there is no queue pair
 * @param qpn the queue pair of the service
 * @param qkey its Q_Key
 * @param privateData the user's bytes, read-only
 */
record SidrAnswer(int status, int qpn, int qkey, MemorySegment privateData) {
    /** The service has a queue pair. */
    static final int VALID = 0;

    /** There is no such service. */
    static final int UNSUPPORTED = 1;

    /** The service does not want this peer. */
    static final int REJECTED = 2;

    static SidrAnswer refusal(int status, MemorySegment privateData) {
        return new SidrAnswer(status, 0, 0, privateData);
    }
}
