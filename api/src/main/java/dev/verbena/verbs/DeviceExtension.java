// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Marks an interface that {@link Device#extension(Class)} may return: something that only some devices have.
 *
 * @since 1.0
 */
public interface DeviceExtension {}
