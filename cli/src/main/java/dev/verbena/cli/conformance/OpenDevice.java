// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.Introduction;
import dev.verbena.conformance.side.PortChoice;
import dev.verbena.verbs.Device;
import java.util.Optional;

/**
 * A device that stays open while all selected rules are executed.
 *
 * @param port the device port that the conformance rules use
 * @param connections the connection manager of the device's provider
 * @param introduction exchanges the GIDs, IP addresses and UDP ports of two software devices between their processes
 * @param owner the {@code AutoCloseable} that closes the device
 */
record OpenDevice(
        Device device,
        PortChoice port,
        Optional<ConnectionManager> connections,
        Introduction introduction,
        Opened owner) {}
