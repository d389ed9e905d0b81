// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * The roles of a queue pair as users of memory. Each role has an access point of its own to every region and window.
 * Sending from a region and receiving into it is often the work of two threads, which so need not contend for the cache
 * line of the reader count.
 */
public enum QpRole {
    /** Sends requests and completes them. */
    REQUESTER,
    /** Receives the peer's requests and answers them. */
    RESPONDER
}
