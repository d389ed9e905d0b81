package dev.verbena.cli.tools;

import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.AckTimeout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ucmatose} is to do.
 *
 * @param server whether to be the server
 * @param address where to listen, or whom to connect to
 * @param source the own address of a client, or null for the one that leads to the server
 * @param portSpace TCP or IB
 * @param connections how many connections
 * @param messages how many messages each way on each connection; 0 for none
 * @param size bytes of a message; 0 for no messages
 * @param typeOfService the IP type of service, if one is asked for
 * @param ackTimeout the ACK timeout of a client's queue pairs, or null for the usual
 * @param migrate whether the ids move to another channel between the messages and the end
 * @param patience how long nothing may happen, or null to wait until the tool is stopped, as the original does
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
    /** The port where nothing else is said. */
    public static final int PORT = 7471;

    /** {@return whether there are messages at all} */
    boolean talks() {
        return messages > 0 && size > 0;
    }
}
