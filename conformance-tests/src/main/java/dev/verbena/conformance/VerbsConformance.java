package dev.verbena.conformance;

import dev.verbena.conformance.rules.AtomicRules;
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
import dev.verbena.conformance.rules.MtuRules;
import dev.verbena.conformance.rules.PlacementRules;
import dev.verbena.conformance.rules.PostRules;
import dev.verbena.conformance.rules.RetryRules;
import dev.verbena.conformance.rules.RightsRules;
import dev.verbena.conformance.rules.RnrRules;
import dev.verbena.conformance.rules.ScatterRules;
import dev.verbena.conformance.rules.SharedQueueRules;
import dev.verbena.conformance.rules.StateRules;
import dev.verbena.conformance.rules.ThreadRules;
import dev.verbena.conformance.rules.TransitionRules;
import dev.verbena.conformance.rules.UnreliableRules;
import dev.verbena.conformance.rules.WireRules;
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
        implements AtomicRules,
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
                MtuRules,
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
    /** For subclasses. */
    protected VerbsConformance() {}
}
