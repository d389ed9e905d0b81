// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * The role in which a queue pair accesses memory: as requester or as responder. Every region or window counts
 * requesters and responders separately. Requesters and responders of the same region therefore do not contend for a
 * cache line.
 */
public enum QpRole {
    REQUESTER,
    RESPONDER
}
