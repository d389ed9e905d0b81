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
 * @param server whether this process is the server
 * @param address the address to listen at or to connect to
 * @param source the source address of a client, or null for the one on the route to the server
 * @param portSpace TCP or IB
 * @param messages the number of messages in each direction of a connection; 0 for none
 * @param size the size of a message in bytes; 0 for no messages
 * @param typeOfService the IP type of service, or empty for the system's default
 * @param ackTimeout the ACK timeout of a client's queue pairs, or null for the default
 * @param migrate whether the ids move to another channel after the messages and before the disconnect
 * @param patience the time limit without progress, or null to wait until the tool is stopped, as librdmacm's ucmatose
 *     does
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
    public static final int PORT = 7471;

    boolean talks() {
        return messages > 0 && size > 0;
    }
}
