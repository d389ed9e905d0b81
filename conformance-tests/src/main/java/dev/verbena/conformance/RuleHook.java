package dev.verbena.conformance;

import dev.verbena.cm.CmCapability;
import dev.verbena.conformance.Divergences.Divergence;
import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.Needs;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.conformance.side.Facts;
import dev.verbena.conformance.side.Pair;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 * Surrounds every rule. Skips the rule if the devices lack a capability that it needs, and sets its seed. Adds to a
 * failure the broken rule and the places to look at. Accepts the failures that a divergence states, and no others.
 * Keeps the results for the suite.
 */
final class RuleHook implements SkipExecutionHook, AroundPropertyHook, AfterContainerHook {
    private static final String KEPT =
            "the rule is listed as a divergence, but was kept; strike it from the list, which says: ";
    private static final String OTHERWISE = "; the rule is listed as a divergence, but fails otherwise than ";

    /**
     * Discarded values per accepted value at most. Rules choose values before they know the devices, so a device may
     * not support many of them.
     */
    private static final int MOST_DISCARDED = 50;

    /** Enough tries that a rule that fails with some values only does not pass by chance. */
    private static final int TRIES_OF_A_DIVERGENCE = 100;

    @Override
    public void afterContainer(ContainerLifecycleContext context) throws IOException {
        Optional<SuiteResults> results = context.optionalContainerClass().flatMap(SuiteResults::end);
        if (results.isPresent()) {
            results.get().suite().finished(results.get().all());
            if (results.get().showedNothing()) {
                throw new AssertionError("no rule was kept: each was skipped or diverges");
            }
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
        SuiteResults.of(suite).keep(RuleResult.skipped(rule.get(), "needs " + missing.get()));
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
            if (rule.needs().contains(Capability.RC)
                    && !rule.needs().contains(Capability.MANUAL_CONNECT)
                    && !pair.connectsByModify()
                    && !manage(first, second)) {
                missing.add("a way to connect queue pairs (MANUAL_CONNECT, or connection managers on RoCE v2 ports)");
            }
            for (Needs need : rule.rig()) {
                boolean there = switch (need) {
                    case FAULTS -> pair.link().faults().isPresent();
                    case TAP -> pair.link().tap().isPresent();
                    case WALL_TIME -> !first.virtualTime() && !second.virtualTime();
                    case VIRTUAL_TIME -> first.virtualTime() && second.virtualTime();
                    case ROCE -> roce(first, second);
                    case CONNECTIONS -> manage(first, second);
                    case CM_EXTERNAL_QP -> manage(first, second, CmCapability.EXTERNAL_QP);
                    case CM_DATAGRAMS -> manage(first, second, CmCapability.DATAGRAM);
                    case CM_MULTICAST -> manage(first, second, CmCapability.MULTICAST);
                };
                if (!there) {
                    missing.add(need.description());
                }
            }
        } catch (RuntimeException unusable) {
            // Not a reason to skip: the rule itself will fail on it, with the reason.
            return Optional.empty();
        }
        return missing.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", missing));
    }

    private static boolean roce(Facts first, Facts second) {
        return Stream.of(first, second)
                .allMatch(each -> each.port().linkLayer() == LinkLayer.ETHERNET
                        && each.source().type() == GidType.ROCE_V2);
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
        List<Divergence> known = suite.divergences().of(rule.id());
        context.attributes().setMaxDiscardRatio(MOST_DISCARDED);
        if (!known.isEmpty() && context.attributes().tries().isEmpty()) {
            context.attributes().setTries(TRIES_OF_A_DIVERGENCE);
        }
        suite.seed().ifPresent(seed -> context.attributes().setSeed(Long.toString(seedOf(rule, seed))));
        long start = System.nanoTime();
        PropertyExecutionResult executed = property.execute();
        Duration time = Duration.ofNanos(System.nanoTime() - start);

        RuleRun run = RuleRun.current();
        RuleResult result = result(rule, executed, run, known, time);
        SuiteResults.of(suite).keep(result);
        return switch (result.outcome()) {
            case FAILED -> executed.mapToFailed(explain(result));
            case DIVERGED ->
                executed.mapToAborted(
                        new AssertionError("rule " + rule.id() + " diverges, as is known: " + result.reason()));
            case SKIPPED ->
                executed.mapToAborted(
                        new TestAbortedException("rule " + rule.id() + " was not tried: " + result.message()));
            case NOT_RUN, PASSED -> executed;
        };
    }

    private static RuleResult result(
            RuleCatalogue.Entry rule,
            PropertyExecutionResult executed,
            RuleRun run,
            List<Divergence> known,
            Duration time) {
        RuleResult untold = RuleResult.passed(rule, run.repeats(), executed.seed(), executed.countTries(), time);
        if (executed.status() == Status.FAILED && executed.countChecks() > 0) {
            Optional<String> sample = executed.falsifiedParameters().flatMap(values -> RuleRun.sample(rule, values));
            String message = RuleRun.message(executed.throwable());
            return untold.with(
                    Outcome.FAILED,
                    known.isEmpty() ? message : message + OTHERWISE + listed(known),
                    "",
                    sample,
                    executed.throwable());
        }
        if (run.firstDiverged().isPresent()) {
            RuleRun.Diverged first = run.firstDiverged().get();
            return untold.with(
                    Outcome.DIVERGED, first.message(), first.known().reason(), first.sample(), first.thrown());
        }
        if (executed.status() == Status.ABORTED || executed.countChecks() == 0) {
            // Where no values at all fit the devices, there was nothing to fail with.
            return untold.with(Outcome.SKIPPED, "no values that fit these devices");
        }
        return known.isEmpty() ? untold : untold.with(Outcome.FAILED, KEPT + listed(known));
    }

    private static String listed(List<Divergence> known) {
        return known.stream()
                .map(way -> "'" + way.message() + "' (" + way.reason() + ")")
                .collect(Collectors.joining(" or "));
    }

    /** Returns the same seed for a rule whether it runs alone or with others, and a different one for each rule. */
    private static long seedOf(RuleCatalogue.Entry rule, long seed) {
        return seed * 1_000_003 + rule.id().hashCode();
    }

    private static AssertionError explain(RuleResult result) {
        RuleCatalogue.Entry rule = result.rule();
        List<String> lines = new ArrayList<>();
        lines.add("rule " + rule.id() + " is broken: " + rule.text());
        lines.add("  what happened: " + result.message());
        result.sample().ifPresent(sample -> lines.add("  with:          " + sample));
        result.seed().ifPresent(seed -> lines.add("  seed:          " + seed));
        result.repeats().forEach(failure -> lines.add("  repeated:      " + failure));
        lines.add("  source:        " + rule.source());
        rule.lookAt().forEach(hint -> lines.add("  look at:       " + hint));
        return new AssertionError(
                String.join(System.lineSeparator(), lines), result.thrown().orElse(null));
    }
}
