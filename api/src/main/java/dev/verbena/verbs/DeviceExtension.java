// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The supertype of interfaces to features that only some devices have. {@link Device#extension(Class)} returns an object
 * that implements the interface of a feature, if the device has the feature.
 *
 * @since 1.0
 */
public interface DeviceExtension {}
