// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.Introduction;
import dev.verbena.conformance.side.PortChoice;
import dev.verbena.verbs.Device;
import java.util.Optional;

/**
 * A device that stays open for all rules of a run.
 *
 * @param port the device port that the conformance rules use
 * @param connections the connection manager of the device's provider
 * @param introduction exchanges the device addresses between the two processes of a conformance run
 * @param owner the object whose {@code close} closes the device
 */
record OpenDevice(
        Device device,
        PortChoice port,
        Optional<ConnectionManager> connections,
        Introduction introduction,
        Opened owner) {}
