// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A device that can be opened. The program {@code ibv_devices} prints each device on a separate line.
 *
 * @param name the name by which a program opens the device
 * @param nodeGuid the GUID of the node
 * @param nodeType the type of the node
 * @since 1.0
 */
public record DeviceInfo(String name, Guid nodeGuid, NodeType nodeType) {}
