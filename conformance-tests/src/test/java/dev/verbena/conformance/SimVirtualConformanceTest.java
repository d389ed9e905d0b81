// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;

/** The software device in virtual time: a failure repeats itself from its seed alone. */
class SimVirtualConformanceTest extends VerbsConformance {
    private static final long SEED = 1;

    @Override
    public ProviderRig openRig() throws VerbsException {
        return new SimRig(new VirtualRuntime(SEED));
    }

    @Override
    protected int tries() {
        return 12;
    }
}
