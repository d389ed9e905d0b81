// SPDX-License-Identifier: Apache-2.0
/**
 * The properties of a simulated device: limits, capabilities, and departures from the specification.
 *
 * <p>{@link dev.verbena.sim.profile.DeviceProfile#specification} follows the specification, and {@link
 * dev.verbena.sim.profile.DeviceProfile#softRoce} has the limits and deviations of Linux Soft-RoCE. A builder changes
 * single limits, so that a test can reproduce the limits of another device. The classes of this package only store these
 * properties; other packages of the software device apply them.
 */
package dev.verbena.sim.profile;
