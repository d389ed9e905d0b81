// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.AckTimeout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@code ucmatose}.
 *
 * @param server whether to be the server
 * @param address the address to listen at or to connect to
 * @param source the source address of a client, or null for the one on the route to the server
 * @param portSpace TCP or IB
 * @param connections the number of connections
 * @param messages the number of messages in each direction of a connection; 0 for none
 * @param size bytes of a message; 0 for no messages
 * @param typeOfService the IP type of service, if one is set
 * @param ackTimeout the ACK timeout of a client's queue pairs, or null for the default
 * @param migrate whether the ids move to another channel between the messages and the end
 * @param patience the time limit without progress, or null to wait until the tool is stopped, as the original does
 */
public record UcmatoseSettings(
        boolean server,
        InetSocketAddress address,
        @Nullable InetAddress source,
        PortSpace portSpace,
        int connections,
        int messages,
        int size,
        OptionalInt typeOfService,
        @Nullable AckTimeout ackTimeout,
        boolean migrate,
        @Nullable Duration patience) {
    /** The default port. */
    public static final int PORT = 7471;

    /** {@return whether messages are exchanged} */
    boolean talks() {
        return messages > 0 && size > 0;
    }
}
