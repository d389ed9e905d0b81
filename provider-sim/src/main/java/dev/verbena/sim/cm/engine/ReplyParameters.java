// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import java.lang.foreign.MemorySegment;

/**
 * The parameters of a REP, without communication IDs, queue pair numbers and PSNs.
 *
 * @param responderResources the maximum number of READs and atomics that the passive side executes at a time, 0 to 255
 * @param initiatorDepth the maximum number of outstanding READs and atomics of the passive side, 0 to 255
 * @param rnrRetryCount the maximum number of retries of the active side after an RNR NAK; 7 means unlimited
 */
public record ReplyParameters(
        int qpn,
        int responderResources,
        int initiatorDepth,
        boolean flowControl,
        int rnrRetryCount,
        boolean srq,
        MemorySegment privateData) {}
