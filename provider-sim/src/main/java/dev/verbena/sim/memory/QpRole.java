// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * The role in which a queue pair accesses memory: as requester or as responder. Every region or window counts
 * requesters and responders separately. A thread that sends from a region and a thread that receives into the region do
 * not contend for the cache line of one reader count.
 */
public enum QpRole {
    REQUESTER,
    RESPONDER
}
