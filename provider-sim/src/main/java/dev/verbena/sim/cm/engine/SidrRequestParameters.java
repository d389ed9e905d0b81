// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * The parameters of a SIDR_REQ. On both peers, the source is the requesting side and the destination is the responding side.
 * The component {@code privateData} excludes the rdma_cm header.
 */
public record SidrRequestParameters(
        long serviceId, Gid source, int sourcePort, Gid destination, MemorySegment privateData) {}
