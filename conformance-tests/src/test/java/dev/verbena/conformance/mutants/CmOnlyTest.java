// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.SimRig;
import dev.verbena.conformance.SuiteRun;
import dev.verbena.conformance.VerbsConformance;
import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The kit over devices on which only the connection manager connects queue pairs, such as those of iWARP and of DiSNI.
 * Only an id makes a queue pair, and modify and query are refused.
 */
class CmOnlyTest {
    private static final int TRIES = 5;
    private static final Set<String> REFUSED =
            Set.of("QueuePair.modify", "QueuePair.query", "ProtectionDomain.createQp");

    private static List<RuleResult> results = List.of();

    @SuppressWarnings("unchecked")
    private static VerbsProvider connectedByManager(VerbsProvider real) {
        return Intercept.provider(real, new Fault() {
            @Override
            public @Nullable Object call(Call call) throws Throwable {
                if (call.is("Device.capabilities")) {
                    Set<Capability> all = EnumSet.copyOf((Set<Capability>) Objects.requireNonNull(call.proceed()));
                    all.remove(Capability.MANUAL_CONNECT);
                    return all;
                }
                if (REFUSED.contains(call.name())) {
                    throw new CapabilityException(Capability.MANUAL_CONNECT, call.name(), "sim");
                }
                return call.proceed();
            }
        });
    }

    /** The kit over such devices; not a test by itself. */
    static class Suite extends VerbsConformance {
        @Override
        public ProviderRig openRig() throws VerbsException {
            return new SimRig(
                    new VirtualRuntime(1),
                    DeviceProfile.specification(),
                    fabric -> fabric,
                    CmOnlyTest::connectedByManager);
        }

        @Override
        protected OptionalLong seed() {
            return OptionalLong.of(1);
        }

        @Override
        protected int tries() {
            return TRIES;
        }

        @Override
        protected void finished(List<RuleResult> all) {
            results = all;
        }
    }

    @Test
    void everyRuleThatDoesNotModifyItsQueuePairsIsKept() {
        List<RuleCatalogue.Entry> rules = RuleCatalogue.of(Suite.class);
        SuiteRun.of(new Suite(), rules, false);
        assertThat(results).hasSameSizeAs(rules);
        for (RuleResult result : results) {
            boolean modifies = result.rule().needs().contains(Capability.MANUAL_CONNECT);
            boolean possible = DeviceProfile.specification()
                    .capabilities()
                    .containsAll(result.rule().needs());
            boolean threads = result.message().contains("wall time");
            assertThat(result.outcome())
                    .as("%s: %s", result.rule().id(), result.message())
                    .isEqualTo(modifies || threads || !possible ? Outcome.SKIPPED : Outcome.PASSED);
        }
        long kept = results.stream()
                .filter(result -> result.outcome() == Outcome.PASSED)
                .count();
        assertThat(kept).isGreaterThan(rules.size() / 2);
    }
}
