package dev.verbena.conformance;

import dev.verbena.cm.CmCapability;
import dev.verbena.conformance.RuleResult.Outcome;
import dev.verbena.conformance.side.Facts;
import dev.verbena.conformance.side.Pair;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.LinkLayer;
import java.io.IOException;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainerHook;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.ContainerLifecycleContext;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutionResult.Status;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import org.opentest4j.TestAbortedException;

/**
 * What happens around every rule: skips it where the devices lack what it needs, sets its seed, lets a failure say which rule
 * was broken and where to look, lets known divergences pass and no others, and keeps the results for the suite.
 */
final class RuleHook implements SkipExecutionHook, AroundPropertyHook, AfterContainerHook {
    private static final String KEPT = "is listed as a divergence, but was kept; strike it from the list, which says: ";

    /** Rules choose values before they know the devices; so many may fit none for one that does. */
    private static final int MOST_DISCARDED = 50;

    /** Enough to be sure that what fails with some values only has not passed by luck. */
    private static final int TRIES_OF_A_DIVERGENCE = 100;

    private static final Map<Class<?>, Results> RESULTS = new ConcurrentHashMap<>();

    /** What became of the rules of a suite so far; the suite is its last instance. */
    private static final class Results {
        private final Map<String, RuleResult> byId = new ConcurrentHashMap<>();
        private volatile VerbsConformance suite;

        Results(VerbsConformance suite) {
            this.suite = suite;
        }
    }

    private static void keep(VerbsConformance suite, RuleResult result) {
        Results results = RESULTS.computeIfAbsent(suite.getClass(), _ -> new Results(suite));
        results.suite = suite;
        results.byId.put(result.rule().id(), result);
    }

    @Override
    public void afterContainer(ContainerLifecycleContext context) throws IOException {
        Optional<Results> results = context.optionalContainerClass().map(RESULTS::remove);
        if (results.isPresent()) {
            VerbsConformance suite = results.get().suite;
            List<RuleResult> all = new ArrayList<>();
            for (RuleCatalogue.Entry rule : RuleCatalogue.of(suite.getClass())) {
                all.add(results.get().byId.getOrDefault(rule.id(), RuleResult.notRun(rule)));
            }
            suite.finished(List.copyOf(all));
        }
    }

    @Override
    public SkipResult shouldBeSkipped(LifecycleContext context) {
        if (!(context instanceof PropertyLifecycleContext property)
                || !(property.testInstance() instanceof VerbsConformance suite)) {
            return SkipResult.doNotSkip();
        }
        Optional<RuleCatalogue.Entry> rule = RuleCatalogue.entry(property.targetMethod());
        Optional<String> missing = rule.flatMap(entry -> missing(entry, suite));
        if (missing.isEmpty()) {
            return SkipResult.doNotSkip();
        }
        keep(suite, RuleResult.skipped(rule.get(), "needs " + missing.get()));
        return SkipResult.skip(rule.get().id() + " needs " + missing.get());
    }

    private static Optional<String> missing(RuleCatalogue.Entry rule, VerbsConformance suite) {
        List<String> missing = new ArrayList<>();
        try (Pair pair = suite.pair()) {
            Facts first = pair.first().facts();
            Facts second = pair.second().facts();
            for (Capability need : rule.needs()) {
                if (!first.capabilities().contains(need)
                        || !second.capabilities().contains(need)) {
                    missing.add(need.description() + " (" + need + ")");
                }
            }
            for (Needs need : rule.rig()) {
                boolean there = switch (need) {
                    case FAULTS -> pair.rig().link().isPresent();
                    case TAP -> pair.rig().tap().isPresent();
                    case WALL_TIME -> !first.virtualTime() && !second.virtualTime();
                    case VIRTUAL_TIME -> first.virtualTime() && second.virtualTime();
                    case ROCE -> roce(first, second);
                    case CONNECTIONS -> manage(first, second);
                    case CM_DATAGRAMS -> manage(first, second, CmCapability.DATAGRAM);
                    case CM_MULTICAST -> manage(first, second, CmCapability.MULTICAST);
                };
                if (!there) {
                    missing.add(need.description());
                }
            }
        } catch (RuntimeException unusable) {
            // No reason to skip: the rule itself will fail on it, and say why.
            return Optional.empty();
        }
        return missing.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", missing));
    }

    private static boolean roce(Facts first, Facts second) {
        return Stream.of(first, second).allMatch(each -> each.port().linkLayer() == LinkLayer.ETHERNET);
    }

    /** Connections are made to the addresses that GIDs are. */
    private static boolean manage(Facts first, Facts second, CmCapability... wanted) {
        return roce(first, second)
                && Stream.of(first, second)
                        .allMatch(each -> each.connections().isPresent()
                                && each.connections().get().containsAll(List.of(wanted)));
    }

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        Optional<RuleCatalogue.Entry> rule = RuleCatalogue.entry(context.targetMethod());
        if (rule.isEmpty() || !(context.testInstance() instanceof VerbsConformance suite)) {
            return property.execute();
        }
        return run(rule.get(), suite, context, property);
    }

    private static PropertyExecutionResult run(
            RuleCatalogue.Entry rule,
            VerbsConformance suite,
            PropertyLifecycleContext context,
            PropertyExecutor property) {
        Optional<String> known = suite.divergences().reason(rule.id());
        context.attributes().setMaxDiscardRatio(MOST_DISCARDED);
        if (known.isPresent()) {
            // Nobody is interested in the smallest values that fail.
            context.attributes().setShrinking(ShrinkingMode.OFF);
            if (context.attributes().tries().isEmpty()) {
                context.attributes().setTries(TRIES_OF_A_DIVERGENCE);
            }
        }
        suite.seed().ifPresent(seed -> context.attributes().setSeed(Long.toString(seedOf(rule, seed))));
        long start = System.nanoTime();
        PropertyExecutionResult executed = property.execute();
        Duration time = Duration.ofNanos(System.nanoTime() - start);

        // Where no values at all fit the devices, there was nothing to fail with.
        boolean aborted = executed.status() == Status.ABORTED || executed.countChecks() == 0;
        Outcome outcome = switch (aborted ? Status.ABORTED : executed.status()) {
            case FAILED -> known.isPresent() ? Outcome.DIVERGED : Outcome.FAILED;
            case SUCCESSFUL -> known.isPresent() ? Outcome.FAILED : Outcome.PASSED;
            case ABORTED -> Outcome.SKIPPED;
        };
        boolean kept = executed.status() == Status.SUCCESSFUL;
        String message = aborted
                ? "no values that fit these devices"
                : kept && known.isPresent() ? KEPT + known.get() : kept ? Repetitions.message() : message(executed);
        keep(
                suite,
                new RuleResult(
                        rule,
                        outcome,
                        message,
                        outcome == Outcome.DIVERGED ? known.orElseThrow() : "",
                        sample(rule, executed),
                        executed.seed(),
                        executed.countTries(),
                        time,
                        executed.throwable()));
        return switch (outcome) {
            case FAILED ->
                executed.mapToFailed(
                        kept ? new AssertionError("rule " + rule.id() + " " + message) : explain(rule, executed));
            case DIVERGED ->
                executed.mapToAborted(
                        new AssertionError("rule " + rule.id() + " diverges, as is known: " + known.orElseThrow()));
            case SKIPPED ->
                executed.mapToAborted(new TestAbortedException("rule " + rule.id() + " was not tried: " + message));
            case NOT_RUN, PASSED -> executed;
        };
    }

    /** The same for a rule whether it runs alone or with others, and different for each. */
    private static long seedOf(RuleCatalogue.Entry rule, long seed) {
        return seed * 1_000_003 + rule.id().hashCode();
    }

    private static String message(PropertyExecutionResult result) {
        return result.throwable()
                .map(cause -> cause.getMessage() == null ? cause.toString() : cause.getMessage())
                .orElse("");
    }

    /** The parameters with which a property failed, by name, shrunk as far as they could be. */
    private static Optional<String> sample(RuleCatalogue.Entry rule, PropertyExecutionResult result) {
        return result.falsifiedParameters().filter(sample -> !sample.isEmpty()).map(sample -> {
            Parameter[] parameters = rule.test().getParameters();
            List<String> values = new ArrayList<>();
            for (int i = 0; i < sample.size(); i++) {
                values.add(parameters[i].getName() + " = " + sample.get(i));
            }
            return String.join(System.lineSeparator() + "                 ", values);
        });
    }

    private static AssertionError explain(RuleCatalogue.Entry rule, PropertyExecutionResult result) {
        List<String> lines = new ArrayList<>();
        lines.add("rule " + rule.id() + " is broken: " + rule.text());
        result.throwable().ifPresent(cause -> lines.add("  what happened: " + cause.getMessage()));
        sample(rule, result).ifPresent(sample -> lines.add("  with:          " + sample));
        result.seed().ifPresent(seed -> lines.add("  seed:          " + seed));
        lines.add("  source:        " + rule.source());
        rule.lookAt().forEach(hint -> lines.add("  look at:       " + hint));
        return new AssertionError(
                String.join(System.lineSeparator(), lines), result.throwable().orElse(null));
    }
}
