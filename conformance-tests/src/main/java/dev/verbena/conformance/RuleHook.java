package dev.verbena.conformance;

import dev.verbena.conformance.rules.RuleSet;
import dev.verbena.conformance.side.Facts;
import dev.verbena.conformance.side.Pair;
import dev.verbena.verbs.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;

/** Skips a rule where the devices lack what it needs, and lets a failure say which rule was broken and where to look. */
final class RuleHook implements SkipExecutionHook, AroundPropertyHook {
    @Override
    public SkipResult shouldBeSkipped(LifecycleContext context) {
        if (!(context instanceof PropertyLifecycleContext property)
                || !(property.testInstance() instanceof RuleSet suite)) {
            return SkipResult.doNotSkip();
        }
        return RuleCatalogue.entry(property.targetMethod())
                .flatMap(rule -> missing(rule, suite).map(missing -> SkipResult.skip(rule.id() + " needs " + missing)))
                .orElse(SkipResult.doNotSkip());
    }

    private static Optional<String> missing(RuleCatalogue.Entry rule, RuleSet suite) {
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

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        PropertyExecutionResult result = property.execute();
        Optional<RuleCatalogue.Entry> rule = RuleCatalogue.entry(context.targetMethod());
        return rule.isPresent() && result.status() == PropertyExecutionResult.Status.FAILED
                ? result.mapToFailed(explain(rule.get(), result))
                : result;
    }

    private static AssertionError explain(RuleCatalogue.Entry rule, PropertyExecutionResult result) {
        List<String> lines = new ArrayList<>();
        lines.add("rule " + rule.id() + " is broken: " + rule.text());
        result.throwable().ifPresent(cause -> lines.add("  what happened: " + cause.getMessage()));
        result.falsifiedParameters()
                .filter(sample -> !sample.isEmpty())
                .ifPresent(sample -> lines.add("  with:          " + sample));
        result.seed().ifPresent(seed -> lines.add("  seed:          " + seed));
        lines.add("  source:        " + rule.source());
        rule.lookAt().forEach(hint -> lines.add("  look at:       " + hint));
        return new AssertionError(
                String.join(System.lineSeparator(), lines), result.throwable().orElse(null));
    }
}
