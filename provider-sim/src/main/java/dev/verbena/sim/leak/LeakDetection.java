// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.leak;

/** The level of detection of objects that are never closed. The lists of open objects are kept at every level. */
public enum LeakDetection {
    /** No detection. */
    OFF,
    /** When the provider is closed, open objects are counted and a warning is logged. No cost before that. */
    COUNTED,
    /**
     * As COUNTED, and each report has the stack that opened the object. Costs a stack trace for each object; for tests.
     */
    TRACED
}
