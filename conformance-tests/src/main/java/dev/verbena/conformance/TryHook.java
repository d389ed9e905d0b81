package dev.verbena.conformance;

import dev.verbena.conformance.Divergences.Divergence;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.conformance.side.Pair;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;

/**
 * Decides about a try that fails. One that fails as a divergence states is recorded and does not end the property, so that
 * another failure is still found. One that fails otherwise is repeated with the same values only where packets can get lost, and
 * only while {@linkplain VerbsConformance#repeats() the budget of the run} lasts.
 */
final class TryHook implements AroundTryHook {
    /** Repeats of one try; a loss in three tries in a row is not an accident. */
    private static final int MOST_REPEATS = 2;

    /**
     * Diverging tries of a rule under wall time, where each may wait in vain. Under virtual time all tries are made.
     */
    private static final int MOST_DIVERGING = 3;

    @Override
    public TryExecutionResult aroundTry(TryLifecycleContext context, TryExecutor attempt, List<Object> parameters) {
        Optional<RuleCatalogue.Entry> rule = RuleCatalogue.entry(context.targetMethod());
        if (rule.isEmpty() || !(context.testInstance() instanceof VerbsConformance suite)) {
            return attempt.execute(parameters);
        }
        RuleRun run = RuleRun.current();
        TryExecutionResult result = attempt.execute(parameters);
        for (int made = 0; result.isFalsified(); made++) {
            String failure = RuleRun.message(result.throwable());
            Optional<Divergence> known = suite.divergences().of(rule.get().id(), failure);
            if (known.isPresent()) {
                run.diverged(known.get(), failure, RuleRun.sample(rule.get(), parameters), result.throwable());
                return TryExecutionResult.satisfied(run.diverging() >= MOST_DIVERGING && !isSimulated(suite));
            }
            if (made == MOST_REPEATS
                    || !canLose(suite)
                    || !SuiteResults.of(suite).takeRepeat()) {
                return result;
            }
            run.repeated(failure);
            result = attempt.execute(parameters);
        }
        return result;
    }

    private static boolean isSimulated(VerbsConformance suite) {
        try (Pair pair = suite.pair()) {
            return pair.first().facts().virtualTime() && pair.second().facts().virtualTime();
        } catch (RuntimeException unusable) {
            return false;
        }
    }

    private static boolean canLose(VerbsConformance suite) {
        try (Pair pair = suite.pair()) {
            return pair.link().canLose();
        } catch (RuntimeException unusable) {
            return false;
        }
    }
}
