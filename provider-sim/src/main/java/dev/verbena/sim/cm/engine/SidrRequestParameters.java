// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * The parameters of a SIDR_REQ. {@code source} is the GID of the peer that sends the SIDR_REQ, and {@code destination}
 * is the GID of the peer that receives it. The rdma_cm header is not part of {@code privateData}.
 */
public record SidrRequestParameters(
        long serviceId, Gid source, int sourcePort, Gid destination, MemorySegment privateData) {}
