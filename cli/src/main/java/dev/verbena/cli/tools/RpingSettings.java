// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@code rping}.
 *
 * @param server whether this process is the server
 * @param address the address at which the server listens, or to which the client connects
 * @param source the source address of a client, or null if the route to the server selects the source address
 * @param size the size of a ping in bytes, at least {@link #MIN_SIZE} and at most {@link #MAX_SIZE}
 * @param count the number of pings, 0 for no limit
 * @param verbose whether to print the data
 * @param validate whether to compare the data
 * @param debug whether to print debug messages about CM events and about the progress of each ping
 * @param persistent whether a server accepts many simultaneous connections; if false, the server accepts only one
 * @param patience the time without progress after which the tool fails, or null for no limit, as in librdmacm's rping
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
    public static final int PORT = 7174;

    public static final int USUAL_SIZE = 64;

    /**
     * The minimum size of a ping: the length of "rdma-ping-", a number of up to ten digits, a colon, a space and a zero
     * byte ({@code RPING_MIN_BUFSIZE} in librdmacm).
     */
    public static final int MIN_SIZE = 23;

    /** The maximum size of a ping: one byte less than the buffer of librdmacm's rping. */
    public static final int MAX_SIZE = 65_535;
}
