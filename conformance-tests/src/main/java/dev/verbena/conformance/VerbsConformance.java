package dev.verbena.conformance;

import dev.verbena.conformance.rules.CompletionFieldRules;
import dev.verbena.conformance.rules.CompletionRules;
import dev.verbena.conformance.rules.KeyRules;
import dev.verbena.conformance.rules.LifecycleRules;
import dev.verbena.conformance.rules.MemoryRules;
import dev.verbena.conformance.rules.MtuRules;
import dev.verbena.conformance.rules.PostRules;
import dev.verbena.conformance.rules.RnrRules;
import dev.verbena.conformance.rules.ScatterRules;
import dev.verbena.conformance.rules.StateRules;
import dev.verbena.conformance.rules.TransitionRules;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.PropagationMode;

/**
 * All rules. The author of a provider extends it, says how to open a rig, and runs the class with JUnit's platform and the
 * engine of jqwik:
 *
 * <pre>{@code
 * class MyProviderConformanceTest extends VerbsConformance {
 *     @Override
 *     public ProviderRig openRig() {
 *         return new MyRig();
 *     }
 * }
 * }</pre>
 *
 * <p>How many tries a property makes is jqwik's own setting, {@code jqwik.tries.default} in {@code
 * junit-platform.properties}: some hundred for a device in software, few for a slow one.
 */
@AddLifecycleHook(value = RuleHook.class, propagateTo = PropagationMode.ALL_DESCENDANTS)
public abstract class VerbsConformance
        implements CompletionFieldRules,
                CompletionRules,
                KeyRules,
                LifecycleRules,
                MemoryRules,
                MtuRules,
                PostRules,
                RnrRules,
                ScatterRules,
                StateRules,
                TransitionRules {
    /** For subclasses. */
    protected VerbsConformance() {}
}
