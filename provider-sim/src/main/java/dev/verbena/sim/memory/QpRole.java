// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * The roles of a queue pair in memory accesses. Each role has its own access point to every region and window. Often one thread
 * sends from a region and another receives into it; then they do not contend for the cache line of one reader count.
 */
public enum QpRole {
    REQUESTER,
    RESPONDER
}
