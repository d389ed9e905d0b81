// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * The roles of a queue pair in memory accesses. Each role has its own access point to every region and window. A thread that
 * sends from a region and a thread that receives into the region do not contend for the cache line of one reader count.
 */
public enum QpRole {
    REQUESTER,
    RESPONDER
}
