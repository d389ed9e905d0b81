package dev.verbena.cli;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.Introduction;
import dev.verbena.verbs.Device;
import java.util.Optional;

/**
 * A device that stays open from the first rule to the last.
 *
 * @param device the open device
 * @param connections what its provider has to manage connections
 * @param introduction what its process says to that of the other device
 * @param owner what is to be closed at the end
 */
record OpenDevice(Device device, Optional<ConnectionManager> connections, Introduction introduction, Opened owner) {}
