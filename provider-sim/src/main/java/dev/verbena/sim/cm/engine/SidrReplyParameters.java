// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import java.lang.foreign.MemorySegment;

/**
 * The parameters of a SIDR_REP. The status is 0 if the service reports a queue pair; otherwise the status is the reason
 * for the refusal.
 */
public record SidrReplyParameters(int status, int qpn, int qkey, MemorySegment privateData) {
    public static final int VALID = 0;

    static final int UNSUPPORTED = 1;

    public static final int REJECTED = 2;

    public static SidrReplyParameters rejection(int status, MemorySegment privateData) {
        return new SidrReplyParameters(status, 0, 0, privateData);
    }
}
