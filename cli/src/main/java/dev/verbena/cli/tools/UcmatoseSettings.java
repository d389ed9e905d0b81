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
 * @param address the address at which the server listens, or to which the client connects
 * @param source the source address of a client, or null if the route to the server selects the source address
 * @param portSpace TCP or IB
 * @param messages the number of messages in each direction of a connection, 0 or more
 * @param size the size of a message in bytes, or 0 to send no messages
 * @param typeOfService the IP type of service, or empty for the operating system's default
 * @param ackTimeout the ACK timeout of a client's queue pairs, or null for librdmacm's default
 * @param migrate whether the connection ids migrate to another event channel between the messages and the disconnect
 * @param patience the time without progress after which the tool fails, or null for no limit, as in librdmacm's ucmatose
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
