// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import java.lang.foreign.MemorySegment;

/**
 * The parameters of a REQ, without communication IDs, queue pair numbers and PSNs. Source and destination are always the active and the
 * passive side, on both sides.
 *
 * @param serviceId port space and port of the listener
 * @param transport {@link dev.verbena.wire.mad.CmRequest#RC} or {@link dev.verbena.wire.mad.CmRequest#UC}
 * @param source the active side's address
 * @param sourcePort the active side's port
 * @param destination the passive side's address
 * @param qpn the active side's queue pair
 * @param responderResources READs and atomics that the active side serves at once, 0 to 255
 * @param initiatorDepth READs and atomics that the active side may have outstanding, 0 to 255
 * @param flowControl whether the active side offers end-to-end flow control
 * @param retryCount repetitions of a packet, 0 to 7
 * @param rnrRetryCount repetitions after an RNR NAK; 7 means unlimited
 * @param srq whether the active side receives from a shared queue
 * @param pathMtu the payload of a packet
 * @param flowLabel 20 bits
 * @param trafficClass type of service or traffic class
 * @param hopLimit hop limit
 * @param ackTimeout the queue pairs' ACK timeout, as exponent
 * @param privateData the user's bytes, excluding the rdma_cm header, read-only
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
