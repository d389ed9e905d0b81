// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

/**
 * How a member of a multicast group takes part ({@code RDMA_MC_JOIN_FLAG_*}).
 *
 * @since 1.0
 */
public enum MulticastRole {
    /** Sends and receives. */
    FULL_MEMBER,
    /** Sends only. */
    SEND_ONLY
}
