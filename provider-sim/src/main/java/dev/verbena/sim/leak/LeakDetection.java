// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.leak;

/** Selects whether and how a provider reports objects that the program did not close. */
public enum LeakDetection {
    /** Open objects are not reported. */
    OFF,
    /**
     * If verbs objects are open when the program closes the provider, the provider logs a warning that counts these
     * objects. The level COUNTED costs nothing before the program closes the provider.
     */
    COUNTED,
    /**
     * Like {@link #COUNTED}, but each report of an open object also has the stack trace of the call that created the
     * object. The level TRACED costs a stack trace for each object and is meant for tests.
     */
    TRACED
}
