// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * The parameters of a SIDR_REQ. Source and destination are always the requesting and the responding side, on both sides.
 *
 * @param serviceId port space and port of the service
 * @param source the requesting side's address
 * @param sourcePort the requesting side's port
 * @param destination the responding side's address
 * @param privateData the user's bytes, excluding the rdma_cm header, read-only
 */
public record SidrRequestParameters(
        long serviceId, Gid source, int sourcePort, Gid destination, MemorySegment privateData) {}
