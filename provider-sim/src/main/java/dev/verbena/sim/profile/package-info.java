// SPDX-License-Identifier: Apache-2.0
/**
 * The properties of a software device: limits, capabilities, and deviations from the InfiniBand specification.
 *
 * <p>{@link dev.verbena.sim.profile.DeviceProfile#specification} follows the InfiniBand specification, and {@link
 * dev.verbena.sim.profile.DeviceProfile#softRoce} has the limits and deviations of Linux Soft-RoCE. A builder changes
 * individual limits, so that a test can reproduce the limits of another device. The classes of this package only store the
 * device's properties; other packages apply them.
 */
package dev.verbena.sim.profile;
