// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * The role in which a queue pair accesses memory: as requester or as responder. Every region or window has one reader count
 * for requesters and one for responders. Separate reader counts avoid contention for a cache line.
 */
public enum QpRole {
    REQUESTER,
    RESPONDER
}
