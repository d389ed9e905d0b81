// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.SimRig;
import dev.verbena.conformance.SuiteRun;
import dev.verbena.conformance.VerbsConformance;
import dev.verbena.conformance.rules.Needs;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The kit over a mutant, run from within a test; not a test by itself. */
class MutantSuite extends VerbsConformance {
    private static final long SEED = 1;
    // Mutants may leave objects open, so the warnings are switched off. Referenced here, since a logger without a
    // reference loses its level.
    private static final Logger PROVIDER = Logger.getLogger("dev.verbena.sim.SimProvider");
    // Matters only under wall time, where the kit waits in vain for a completion that a mutant lost.
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private final Mutant mutant;
    private final int tries;
    private final boolean threads;

    private MutantSuite(Mutant mutant, int tries, boolean threads) {
        this.mutant = mutant;
        this.tries = tries;
        this.threads = threads;
    }

    @Override
    public ProviderRig openRig() throws VerbsException {
        Fault fault = mutant.fault().get();
        DeviceProfile profile = DeviceProfile.specification().toBuilder()
                .with(mutant.quirks().toArray(Quirk[]::new))
                .build();
        SimRuntime runtime = threads ? new ThreadRuntime(SEED) : new VirtualRuntime(SEED);
        return new SimRig(
                        runtime,
                        profile,
                        real -> Intercept.fabric(real, fault),
                        real -> Intercept.provider(real, fault))
                .withPatience(PATIENCE);
    }

    @Override
    protected OptionalLong seed() {
        return OptionalLong.of(SEED);
    }

    @Override
    protected int tries() {
        return tries;
    }

    static SuiteRun run(Mutant mutant, List<RuleCatalogue.Entry> rules, int tries, boolean shrinking) {
        PROVIDER.setLevel(Level.OFF);
        boolean threads = rules.stream().anyMatch(rule -> rule.rig().contains(Needs.WALL_TIME));
        return SuiteRun.of(new MutantSuite(mutant, tries, threads), rules, shrinking);
    }
}
