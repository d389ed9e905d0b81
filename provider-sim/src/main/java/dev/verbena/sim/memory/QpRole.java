// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * The two roles of a queue pair in memory accesses. Every region or window counts requesters and responders separately. A
 * thread that sends from a region and a thread that receives into the region do not contend for the cache line of one reader
 * count.
 */
public enum QpRole {
    REQUESTER,
    RESPONDER
}
