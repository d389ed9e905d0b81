package dev.verbena.conformance;

import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.VerbsException;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** The software device with threads and wall time. */
class SimThreadsConformanceTest extends VerbsConformance {
    private static final long SEED = 1;
    private static @Nullable SimRuntime runtime;

    @BeforeContainer
    static void start() {
        runtime = new ThreadRuntime(SEED);
    }

    @AfterContainer
    static void stop() {
        runtime.close();
    }

    @Override
    public ProviderRig openRig() throws VerbsException {
        return new SimRig(runtime);
    }
}
