// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/**
 * The role in which a queue pair accesses memory. Every memory region or memory window counts accesses in progress (reader
 * count) separately for requesters and responders, so that they do not contend for one cache line.
 */
public enum QpRole {
    REQUESTER,
    RESPONDER
}
