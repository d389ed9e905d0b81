package dev.verbena.cli.tools;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What {@code rping} is to do.
 *
 * @param server whether to be the server
 * @param address where to listen, or whom to connect to
 * @param source the own address of a client, or null for the one that leads to the server
 * @param size bytes of a ping, at least {@link #MIN_SIZE} and at most {@link #MAX_SIZE}
 * @param count how many pings, 0 for no end
 * @param verbose whether to print the data
 * @param validate whether to compare the data
 * @param debug whether to print each step
 * @param persistent whether a server takes one connection after the other, also several at a time
 * @param patience how long nothing may happen, or null to wait until the tool is stopped, as the original does
 */
public record RpingSettings(
        boolean server,
        InetSocketAddress address,
        @Nullable InetAddress source,
        int size,
        int count,
        boolean verbose,
        boolean validate,
        boolean debug,
        boolean persistent,
        @Nullable Duration patience) {
    /** The port where nothing else is said. */
    public static final int PORT = 7174;

    /** The size where nothing else is said. */
    public static final int USUAL_SIZE = 64;

    /** "rdma-ping-", a number of up to ten digits, a colon, a space and a zero byte: the original's {@code RPING_MIN_BUFSIZE}. */
    public static final int MIN_SIZE = 23;

    /** One less than the original's buffer. */
    public static final int MAX_SIZE = 65_535;
}
