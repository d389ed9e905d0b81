// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The supertype of interfaces to features that only some devices have. If a device has a feature, its
 * {@link Device#extension(Class)} returns an object with the feature's interface.
 *
 * @since 1.0
 */
public interface DeviceExtension {}
