// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RunReport;
import dev.verbena.conformance.rules.AtomicRules;
import dev.verbena.conformance.rules.CmAddressRules;
import dev.verbena.conformance.rules.CmConnectRules;
import dev.verbena.conformance.rules.CmDatagramRules;
import dev.verbena.conformance.rules.CmEndRules;
import dev.verbena.conformance.rules.CmPrivateDataRules;
import dev.verbena.conformance.rules.CmStateRules;
import dev.verbena.conformance.rules.CompletionFieldRules;
import dev.verbena.conformance.rules.CompletionQueueRules;
import dev.verbena.conformance.rules.CompletionRules;
import dev.verbena.conformance.rules.DatagramRules;
import dev.verbena.conformance.rules.EventRules;
import dev.verbena.conformance.rules.InlineRules;
import dev.verbena.conformance.rules.KeyRules;
import dev.verbena.conformance.rules.LifecycleRules;
import dev.verbena.conformance.rules.LimitRules;
import dev.verbena.conformance.rules.LinkRules;
import dev.verbena.conformance.rules.MemoryRules;
import dev.verbena.conformance.rules.ModelRules;
import dev.verbena.conformance.rules.MtuRules;
import dev.verbena.conformance.rules.OnDemandAdviceRules;
import dev.verbena.conformance.rules.OnDemandRules;
import dev.verbena.conformance.rules.PlacementExtensionRules;
import dev.verbena.conformance.rules.PlacementRules;
import dev.verbena.conformance.rules.PostRules;
import dev.verbena.conformance.rules.RetryRules;
import dev.verbena.conformance.rules.RightsRules;
import dev.verbena.conformance.rules.RnrRules;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.conformance.rules.ScatterRules;
import dev.verbena.conformance.rules.SharedQueueRules;
import dev.verbena.conformance.rules.StateRules;
import dev.verbena.conformance.rules.ThreadRules;
import dev.verbena.conformance.rules.TransitionRules;
import dev.verbena.conformance.rules.UnreliableRules;
import dev.verbena.conformance.rules.WireRules;
import dev.verbena.conformance.side.Pair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The suite of all rules. The author of a provider extends this class, implements {@link #openRig}, and runs the class
 * with JUnit, which shows each rule as a test. All rules run in one thread, even if JUnit runs tests in parallel.
 *
 * <pre>{@code
 * class MyProviderConformanceTest extends VerbsConformance {
 *     @Override
 *     public ProviderRig openRig() {
 *         return new MyRig();
 *     }
 * }
 * }</pre>
 */
@Execution(ExecutionMode.SAME_THREAD)
public abstract class VerbsConformance
        implements AtomicRules,
                CmAddressRules,
                CmConnectRules,
                CmDatagramRules,
                CmEndRules,
                CmPrivateDataRules,
                CmStateRules,
                CompletionFieldRules,
                CompletionQueueRules,
                CompletionRules,
                DatagramRules,
                EventRules,
                InlineRules,
                KeyRules,
                LifecycleRules,
                LimitRules,
                LinkRules,
                MemoryRules,
                ModelRules,
                MtuRules,
                OnDemandAdviceRules,
                OnDemandRules,
                PlacementExtensionRules,
                PlacementRules,
                PostRules,
                RetryRules,
                RightsRules,
                RnrRules,
                ScatterRules,
                SharedQueueRules,
                StateRules,
                ThreadRules,
                TransitionRules,
                UnreliableRules,
                WireRules {
    /** Creates a suite. */
    protected VerbsConformance() {}

    /**
     * Opens a {@link ProviderRig} for one execution of one conformance rule. After the execution, the conformance kit
     * closes the {@code ProviderRig}.
     *
     * @return a new {@code ProviderRig}, which no other execution of a rule uses
     * @throws Exception if a device cannot be opened; the rule then fails
     */
    public abstract ProviderRig openRig() throws Exception;

    @Override
    public Pair pair() {
        ProviderRig rig;
        try {
            rig = openRig();
        } catch (Exception refused) {
            throw new IllegalStateException("the rig cannot be opened: " + refused.getMessage(), refused);
        }
        return rig.pair();
    }

    /**
     * Runs each selected rule as a JUnit test. Called by JUnit.
     *
     * @return the JUnit tests, in the order of the rules' ids
     */
    @TestFactory
    public final Stream<DynamicTest> rules() {
        RuleRunner runner = new RuleRunner(this);
        return selection().stream()
                .map(rule -> DynamicTest.dynamicTest(rule.id() + " " + rule.text(), () -> runner.test(rule)))
                .onClose(runner::finish);
    }

    /**
     * Returns the rules to execute. By default, the system property {@code verbena.conformance.rules} selects rules by rule
     * area or id, for example {@code MEM,POST-07}. If this property is not set, the default implementation returns all
     * rules.
     *
     * @return rules of this class
     */
    protected List<RuleCatalogue.Entry> selection() {
        List<RuleCatalogue.Entry> all = RuleCatalogue.of(getClass());
        String names = System.getProperty("verbena.conformance.rules");
        return names == null ? all : RuleCatalogue.select(all, names);
    }

    /**
     * Returns how often a rule with parameters is executed, unless its {@code @Rule} annotation sets another number. About
     * a hundred executions suit a software device, and a few executions suit a slow device.
     *
     * @return 20 unless overridden
     */
    protected int tries() {
        return 20;
    }

    /**
     * Returns the seed of the kit's random numbers, which determine the parameter values of all rules. By default, the
     * system property {@code verbena.conformance.seed} sets the seed. If the property is not set, each execution of the
     * suite has a new seed. A failure reports the seed.
     *
     * @return the seed, or empty for a new seed in each execution of the suite
     */
    protected OptionalLong seed() {
        Long seed = Long.getLong("verbena.conformance.seed");
        return seed == null ? OptionalLong.empty() : OptionalLong.of(seed);
    }

    /** {@return the known divergences of the provider from the rules; by default none} */
    protected Divergences divergences() {
        return Divergences.none();
    }

    /**
     * Returns the maximum number of retries of failed executions, for all rules together. The kit retries a failed
     * execution only on a fabric that {@linkplain ProviderRig#canLose can lose packets}. It retries an execution up to
     * twice with the same parameter values; the rule fails only if all these retries also fail. The results contain every
     * retry.
     *
     * @return 0 unless overridden
     */
    protected int repeats() {
        return 0;
    }

    /**
     * After the last selected rule, the kit calls this method with the results of all rules. If the system property
     * {@code verbena.conformance.report} specifies a directory, the default implementation of {@code finished} writes a
     * report to a subdirectory named after this class.
     *
     * @param results one result for each rule, in the order of the rules' ids
     * @throws IOException if the report cannot be written
     */
    protected void finished(List<RuleResult> results) throws IOException {
        String directory = System.getProperty("verbena.conformance.report");
        if (directory != null) {
            String name = getClass().getSimpleName();
            RunReport.of(name, results).write(Path.of(directory, name));
        }
    }
}
