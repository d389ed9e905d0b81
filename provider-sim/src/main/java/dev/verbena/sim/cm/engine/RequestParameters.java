// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import java.lang.foreign.MemorySegment;

/**
 * The parameters of a REQ, without communication IDs, queue pair numbers and PSNs. On both peers, {@code source} is the GID
 * of the active side and {@code destination} is the GID of the passive side.
 *
 * @param transport {@link dev.verbena.wire.mad.CmRequest#RC} or {@link dev.verbena.wire.mad.CmRequest#UC}
 * @param responderResources the maximum number of READs and atomics that the active side executes at a time, 0 to 255
 * @param initiatorDepth the maximum number of outstanding READs and atomics of the active side, 0 to 255
 * @param rnrRetryCount the maximum number of retries of the passive side after an RNR NAK; 7 means unlimited
 * @param ackTimeout the exponent of the ACK timeout of both queue pairs
 * @param privateData the private data that the application passed, without the rdma_cm header
 */
public record RequestParameters(
        long serviceId,
        int transport,
        Gid source,
        int sourcePort,
        Gid destination,
        int qpn,
        int responderResources,
        int initiatorDepth,
        boolean flowControl,
        int retryCount,
        int rnrRetryCount,
        boolean srq,
        PathMtu pathMtu,
        int flowLabel,
        int trafficClass,
        int hopLimit,
        int ackTimeout,
        MemorySegment privateData) {}
