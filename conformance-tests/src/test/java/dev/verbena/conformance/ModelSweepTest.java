// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.conformance.rules.ModelRules;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Many more programs of two endpoints than the build has time for. */
@Tag("sweep")
class ModelSweepTest extends VerbsConformance {
    private static final long SEED = 1;

    @Override
    public ProviderRig openRig() throws VerbsException {
        return new SimRig(new VirtualRuntime(SEED));
    }

    @Override
    protected List<RuleCatalogue.Entry> selection() {
        return RuleCatalogue.of(ModelRules.class);
    }

    @Override
    protected int tries() {
        return 30_000;
    }
}
