// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.GidSelector;
import java.net.InetAddress;
import java.util.Optional;

/**
 * The device port that the rules use.
 *
 * @param port the number of the port, from 1
 * @param gid selects the source GID of the port
 * @param address the IP address that connection managers use on this port, or empty to use the IP address that the source
 *     GID contains. An iWARP port needs {@code address}, because its GID contains no IP address
 */
public record PortChoice(int port, GidSelector gid, Optional<InetAddress> address) {
    /** {@return port 1, with the GID that {@link GidSelector#automatic} selects} */
    public static PortChoice usual() {
        return new PortChoice(1, GidSelector.automatic(), Optional.empty());
    }
}
