package dev.verbena.conformance;

import dev.verbena.conformance.rules.ModelRules;
import dev.verbena.conformance.side.Pair;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Tag;

/** Many more programs of two endpoints than the build has time for. */
@Tag("sweep")
@PropertyDefaults(tries = 30_000)
class ModelSweepTest implements ModelRules {
    private static final long SEED = 1;

    @Override
    public Pair pair() {
        try {
            return new SimRig(new VirtualRuntime(SEED)).pair();
        } catch (VerbsException refused) {
            throw new IllegalStateException(refused);
        }
    }
}
