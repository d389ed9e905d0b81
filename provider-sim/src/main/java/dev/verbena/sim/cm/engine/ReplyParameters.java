// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import java.lang.foreign.MemorySegment;

/**
 * The parameters of a REP, without communication IDs, queue pair numbers and PSNs.
 *
 * @param responderResources READs and atomics that the passive side serves at once, 0 to 255
 * @param initiatorDepth READs and atomics that the passive side may have outstanding, 0 to 255
 * @param rnrRetryCount repetitions after an RNR NAK by the active side; 7 means unlimited
 */
public record ReplyParameters(
        int qpn,
        int responderResources,
        int initiatorDepth,
        boolean flowControl,
        int rnrRetryCount,
        boolean srq,
        MemorySegment privateData) {}
