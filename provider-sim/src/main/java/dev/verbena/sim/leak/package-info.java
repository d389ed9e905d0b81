// SPDX-License-Identifier: Apache-2.0
/**
 * The detection of objects that a program did not close. {@link dev.verbena.sim.leak.LeakDetection} selects the level, and
 * {@link dev.verbena.sim.SimProvider#leaks} returns the open objects. At level
 * {@link dev.verbena.sim.leak.LeakDetection#TRACED}, each report has the stack trace of the call that opened the object.
 */
package dev.verbena.sim.leak;
