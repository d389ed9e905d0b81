// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

/**
 * The role of a member of a multicast group ({@code RDMA_MC_JOIN_FLAG_*}).
 *
 * @since 1.0
 */
public enum MulticastRole {
    /** The member sends and receives datagrams. */
    FULL_MEMBER,
    /** The member only sends datagrams. */
    SEND_ONLY
}
