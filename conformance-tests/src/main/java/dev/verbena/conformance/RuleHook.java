package dev.verbena.conformance;

import dev.verbena.conformance.rules.RuleSet;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
        Optional<RuleCatalogue.Entry> rule = RuleCatalogue.entry(property.targetMethod());
        Set<Capability> missing = rule.isEmpty() ? Set.of() : missing(rule.get(), suite);
        return missing.isEmpty()
                ? SkipResult.doNotSkip()
                : SkipResult.skip(rule.get().id() + " needs " + missing + ", which a device does not have");
    }

    private static Set<Capability> missing(RuleCatalogue.Entry rule, RuleSet suite) {
        Set<Capability> missing = EnumSet.noneOf(Capability.class);
        missing.addAll(rule.needs());
        try (ProviderRig rig = suite.openRig()) {
            Set<Capability> second = rig.second().capabilities();
            missing.removeIf(need -> rig.first().capabilities().contains(need) && second.contains(need));
        } catch (VerbsException unusable) {
            // No reason to skip: the rule itself will fail on it, and say why.
            return Set.of();
        }
        return missing;
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
