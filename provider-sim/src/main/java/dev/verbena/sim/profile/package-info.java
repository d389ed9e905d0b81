// SPDX-License-Identifier: Apache-2.0
/**
 * The kind of device to simulate: limits, capabilities, and departures from the specification.
 *
 * <p>{@link dev.verbena.sim.profile.DeviceProfile#specification DeviceProfile.specification} follows the specification, and {@link
 * dev.verbena.sim.profile.DeviceProfile#softRoce DeviceProfile.softRoce} has the limits and deviations of Linux Soft-RoCE. A
 * builder changes single limits, so that a test can reproduce the limits of another device.
 *
 * <p>This package has values only. The engines and objects that read them have the behaviour.
 */
package dev.verbena.sim.profile;
