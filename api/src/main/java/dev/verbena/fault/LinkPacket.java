// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * A packet that a link passes to a fault rule. The packet object is valid only during the call of {@link LinkRule#judge}.
 *
 * @since 1.0
 */
public interface LinkPacket {
    /** {@return the index of the packet among all packets that were sent on this link; 0 for the first packet} */
    long ordinal();

    /** {@return the source GID, the address of the sender} */
    Gid source();

    /** {@return the destination GID, the address of the receiver} */
    Gid destination();

    /** {@return the opcode of the BTH, 8 bits: the transport in the upper 3 bits, the operation in the lower 5 bits} */
    int opcode();

    /** {@return the destination QPN of the BTH, 24 bits} */
    int destinationQp();

    /** {@return the PSN of the BTH, 24 bits} */
    int psn();

    /** {@return the whole IP datagram from the IP header to the ICRC, read-only} */
    MemorySegment bytes();
}
