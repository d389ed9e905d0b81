// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * A packet on a link as a rule sees it: a view that is valid only during the call.
 *
 * @since 1.0
 */
public interface LinkPacket {
    /**
     * Counts the packets of this link.
     *
     * @return 0 for the first packet that was sent on it
     */
    long ordinal();

    /**
     * Returns the address of the sender.
     *
     * @return the source GID
     */
    Gid source();

    /**
     * Returns the address of the receiver.
     *
     * @return the destination GID
     */
    Gid destination();

    /**
     * Returns the operation code of the base transport header.
     *
     * @return 8 bits: transport in the upper 3, operation in the lower 5
     */
    int opcode();

    /**
     * Returns the destination queue pair of the base transport header.
     *
     * @return 24 bits
     */
    int destinationQp();

    /**
     * Returns the packet sequence number of the base transport header.
     *
     * @return 24 bits
     */
    int psn();

    /**
     * Returns the whole IP datagram, read-only.
     *
     * @return the bytes from the IP header to the ICRC
     */
    MemorySegment bytes();
}
