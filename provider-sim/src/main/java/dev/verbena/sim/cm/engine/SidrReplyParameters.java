// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import java.lang.foreign.MemorySegment;

/**
 * The parameters of a SIDR_REP.
 *
 * @param status 0, or the reason why the service refuses a queue pair
 * @param qpn the queue pair of the service
 * @param qkey its Q_Key
 * @param privateData the user's bytes, read-only
 */
public record SidrReplyParameters(int status, int qpn, int qkey, MemorySegment privateData) {
    /** The service has a queue pair. */
    public static final int VALID = 0;

    /** There is no such service. */
    static final int UNSUPPORTED = 1;

    /** The service rejects this peer. */
    public static final int REJECTED = 2;

    public static SidrReplyParameters rejection(int status, MemorySegment privateData) {
        return new SidrReplyParameters(status, 0, 0, privateData);
    }
}
