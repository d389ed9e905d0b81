package dev.verbena.conformance;

import dev.verbena.conformance.side.Pair;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.Store;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;

/**
 * Makes a try that failed again with the same values, where time is real: there a machine may be busy for longer than a timer
 * of the rule runs, and a wire may lose what nobody sends again. What fails each time is a failure; what did not is told.
 */
final class Repetitions implements AroundTryHook {
    private static final String STORE = Repetitions.class.getName();

    /** What was made again of the property that is running. */
    private static Store<List<String>> told() {
        return Store.getOrCreate(STORE, Lifespan.PROPERTY, ArrayList::new);
    }

    /** What a result says of the tries that were made again; empty if there were none. */
    static String message() {
        List<String> first = told().get();
        return first.isEmpty()
                ? ""
                : (first.size() == 1 ? "a try failed at first" : first.size() + " tries failed at first")
                        + " and was kept with the same values then: " + first.getFirst();
    }

    @Override
    public TryExecutionResult aroundTry(TryLifecycleContext context, TryExecutor attempt, List<Object> parameters) {
        TryExecutionResult result = attempt.execute(parameters);
        if (!result.isFalsified()
                || !(context.testInstance() instanceof VerbsConformance suite)
                || isSimulated(suite)) {
            return result;
        }
        String first = result.throwable().map(Throwable::getMessage).orElse("");
        for (int made = 1; result.isFalsified() && made < suite.attempts(); made++) {
            result = attempt.execute(parameters);
        }
        if (!result.isFalsified()) {
            told().get().add(first);
        }
        return result;
    }

    /** Where nothing happens by luck. */
    private static boolean isSimulated(VerbsConformance suite) {
        try (Pair pair = suite.pair()) {
            return pair.first().facts().virtualTime() && pair.second().facts().virtualTime();
        } catch (RuntimeException unusable) {
            return false;
        }
    }
}
