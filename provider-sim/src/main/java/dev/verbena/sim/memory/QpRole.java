// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * The role in which a queue pair accesses memory: as requester or as responder. Every region or window has one count of
 * the requesters that access it, and one of the responders. Requesters and responders therefore do not contend for a
 * cache line.
 */
public enum QpRole {
    REQUESTER,
    RESPONDER
}
