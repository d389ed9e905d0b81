// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A device that may be opened: a line of {@code ibv_devices}.
 *
 * @param name the name to open it by
 * @param nodeGuid the node's GUID
 * @param nodeType its kind of node
 * @since 1.0
 */
public record DeviceInfo(String name, Guid nodeGuid, NodeType nodeType) {}
