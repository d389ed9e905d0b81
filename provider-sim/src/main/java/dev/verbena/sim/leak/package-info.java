// SPDX-License-Identifier: Apache-2.0
/**
 * The detection of objects that a program did not close. The level of leak detection is a
 * {@link dev.verbena.sim.leak.LeakDetection}. The method {@link dev.verbena.sim.SimProvider#leaks} returns the open objects. At
 * level {@link dev.verbena.sim.leak.LeakDetection#TRACED}, each report has the stack trace of the call that opened the object.
 */
package dev.verbena.sim.leak;
