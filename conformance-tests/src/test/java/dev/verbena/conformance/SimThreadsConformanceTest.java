// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The software device with threads and wall time. */
class SimThreadsConformanceTest extends VerbsConformance {
    private static final long SEED = 1;
    private static @Nullable SimRuntime runtime;

    @BeforeAll
    static void start() {
        runtime = new ThreadRuntime(SEED);
    }

    @AfterAll
    static void stop() {
        runtime.close();
    }

    @Override
    public ProviderRig openRig() throws VerbsException {
        return new SimRig(runtime);
    }

    @Override
    protected int tries() {
        return 12;
    }
}
