package dev.verbena.cli.conformance;

import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.VerbsConformance;
import dev.verbena.conformance.report.RuleResult;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rules over the bench of a {@link ConformanceRun}. JUnit creates the instance from the class alone, so the run is
 * passed in a static field.
 */
final class CommandSuite extends VerbsConformance {
    private static volatile @Nullable ConformanceRun current;
    private static volatile List<RuleResult> finished = List.of();

    private final ConformanceRun run = Objects.requireNonNull(current, "only ConformanceRun runs this");

    /**
     * Runs the suite with this run for the instances that JUnit creates. Returns the results, or none if the suite did not
     * finish.
     */
    static synchronized List<RuleResult> during(ConformanceRun run, Runnable execution) {
        current = run;
        finished = List.of();
        execution.run();
        current = null;
        return finished;
    }

    @Override
    public ProviderRig openRig() throws Exception {
        return run.bench().open();
    }

    @Override
    protected OptionalLong seed() {
        return OptionalLong.of(run.seed());
    }

    @Override
    protected Divergences divergences() {
        return run.divergences();
    }

    @Override
    protected int repeats() {
        return run.repeats();
    }

    @Override
    protected void finished(List<RuleResult> results) {
        finished = results;
    }
}
