// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.Introduction;
import dev.verbena.verbs.Device;
import java.util.Optional;

/**
 * A device that stays open from the first rule to the last.
 *
 * @param device the open device
 * @param connections the connection manager of its provider
 * @param introduction the introduction that its process sends to that of the other device
 * @param owner the object to close at the end
 */
record OpenDevice(Device device, Optional<ConnectionManager> connections, Introduction introduction, Opened owner) {}
