// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.GidSelector;

/**
 * The port of a device that the rules use.
 *
 * @param port the number of the port, from 1
 * @param gid selects the source GID of the port
 */
public record PortChoice(int port, GidSelector gid) {
    /** {@return the first port with its best GID} */
    public static PortChoice usual() {
        return new PortChoice(1, GidSelector.automatic());
    }
}
