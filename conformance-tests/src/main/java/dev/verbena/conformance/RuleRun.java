// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.conformance.Divergences.Divergence;
import dev.verbena.conformance.arbitraries.Choices;
import dev.verbena.conformance.arbitraries.Parameters;
import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.conformance.side.Pair;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * Executes one rule with several sets of parameter values. After a failure that is a known divergence, the kit continues
 * with the next set. If the fabric can lose packets, the kit retries the rule after any other failure. A retry uses the
 * parameter values of the failed execution. {@link VerbsConformance#repeats()} limits the number of retries. If the rule
 * still fails, the kit searches for simpler parameter values with which the rule fails ({@link Shrinker}).
 */
final class RuleRun {
    private static final String KEPT =
            "the rule is listed as a divergence, but was kept; strike it from the list, which says: ";
    private static final String OTHERWISE = "; the rule is listed as a divergence, but its failure does not match ";

    /**
     * The number of executions of a rule with a known divergence, unless its {@code @Rule} annotation sets another number.
     * Even a rare failure is likely to occur in 100 executions.
     */
    private static final int TRIES_OF_A_DIVERGENCE = 100;

    /** If a rule has more than this number of combinations of parameter values, the kit uses random combinations. */
    private static final int MOST_ENUMERATED = 10_000;

    /**
     * The maximum number of retries after a failed execution of a rule. Packet loss alone rarely makes three executions in
     * a row fail.
     */
    private static final int MOST_REPEATS = 2;

    /**
     * In wall-clock time, the kit stops executing a rule after this number of failures that are known divergences. A
     * failing execution may take long, because it may wait for a timeout.
     */
    private static final int MOST_DIVERGING = 3;

    private final RuleCatalogue.Entry rule;
    private final VerbsConformance suite;
    private final BooleanSupplier takeRepeat;
    private final Divergences divergences;
    private final List<String> repeats = new ArrayList<>();
    private Optional<Failure> diverged = Optional.empty();
    private int diverging;
    private int tries;

    /** Counts how often the rule has run with parameter values that the devices support. */
    private int checks;

    private record Failure(List<Object> values, Throwable thrown) {
        /**
         * Returns the message of the failure, and the messages of all exceptions that closing the {@link ProviderRig}
         * has thrown.
         */
        String message() {
            return Stream.concat(Stream.of(thrown), Arrays.stream(thrown.getSuppressed()))
                    .map(each -> each.getMessage() == null ? each.toString() : each.getMessage())
                    .collect(Collectors.joining("; and then: "));
        }
    }

    RuleRun(RuleCatalogue.Entry rule, VerbsConformance suite, BooleanSupplier takeRepeat) {
        this.rule = rule;
        this.suite = suite;
        this.takeRepeat = takeRepeat;
        divergences = suite.divergences();
    }

    RuleResult execute(long seed, boolean shrinking) {
        long start = System.nanoTime();
        Optional<Failure> failure = falsify(seed, shrinking);
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        RuleResult kept = RuleResult.passed(rule, repeats, Optional.of(Long.toString(seed)), tries, time);
        List<Divergence> known = divergences.of(rule.id());
        if (failure.isPresent()) {
            String message = failure.get().message();
            return with(
                    kept,
                    Outcome.FAILED,
                    known.isEmpty() ? message : message + OTHERWISE + listed(known),
                    "",
                    failure.get());
        }
        if (diverged.isPresent()) {
            String message = diverged.get().message();
            String reason = divergences.of(rule.id(), message).orElseThrow().reason();
            return with(kept, Outcome.DIVERGED, message, reason, diverged.get());
        }
        if (checks == 0) {
            return kept.with(Outcome.SKIPPED, "no values that fit these devices");
        }
        return known.isEmpty() ? kept : kept.with(Outcome.FAILED, KEPT + listed(known));
    }

    private RuleResult with(RuleResult kept, Outcome outcome, String message, String reason, Failure failure) {
        return kept.with(outcome, message, reason, sample(failure.values), Optional.of(failure.thrown));
    }

    private static String listed(List<Divergence> known) {
        return known.stream()
                .map(way -> "'" + way.message() + "' (" + way.reason() + ")")
                .collect(Collectors.joining(" or "));
    }

    /** Returns the name and the value of each parameter of the rule, one parameter per line; empty if there are none. */
    private Optional<String> sample(List<Object> values) {
        Parameter[] parameters = rule.test().getParameters();
        return IntStream.range(0, values.size())
                .mapToObj(i -> parameters[i].getName() + " = " + values.get(i))
                .reduce((first, second) -> first + System.lineSeparator() + "                 " + second);
    }

    /**
     * Executes the rule until a failure that is not a known divergence. Returns this failure, after shrinking if {@code
     * shrinking} is true, or empty if none occurs.
     */
    private Optional<Failure> falsify(long seed, boolean shrinking) {
        // Each rule has its own seed, which does not depend on which other rules are selected.
        SplittableRandom random =
                new SplittableRandom(seed * 1_000_003 + rule.id().hashCode());
        int most = mostTries();
        boolean enumerated = isEnumerable(most);
        Choices choices = enumerated ? Choices.of(List.of()) : Choices.random(random);
        while (true) {
            Optional<Failure> failure = failure(choices);
            tries++;
            if (failure.isPresent()) {
                return shrinking
                        ? Optional.of(new Shrinker<>(choices, failure.get(), this::failure).shrink())
                        : failure;
            }
            Optional<List<Long>> next = enumerated ? choices.successor() : Optional.of(List.of());
            if (tries == most || next.isEmpty() || diverging >= MOST_DIVERGING && !isSimulated()) {
                return Optional.empty();
            }
            choices = enumerated ? Choices.of(next.get()) : Choices.random(random);
        }
    }

    private int mostTries() {
        if (rule.tries() > 0) {
            return rule.tries();
        }
        return divergences.of(rule.id()).isEmpty() ? suite.tries() : TRIES_OF_A_DIVERGENCE;
    }

    /** Returns whether {@code most} executions of the rule can cover all combinations of its parameter values. */
    private boolean isEnumerable(int most) {
        Optional<List<Long>> next = Optional.of(List.of());
        for (int i = 0; i < Math.min(most, MOST_ENUMERATED) && next.isPresent(); i++) {
            Choices choices = Choices.of(next.get());
            Parameters.draw(rule.test(), choices);
            next = choices.successor();
        }
        return next.isEmpty();
    }

    /**
     * Executes the rule, and retries after a failure if packets can be lost and the limit of retries is not reached.
     * Returns the failure, or empty if the rule passed or was aborted, or if the failure is a known divergence.
     */
    private Optional<Failure> failure(Choices choices) {
        List<Object> values = Parameters.draw(rule.test(), choices);
        for (int made = 0; true; made++) {
            Optional<Throwable> thrown = attempt(values);
            if (thrown.isPresent() && thrown.get() instanceof TestAbortedException) {
                return Optional.empty();
            }
            checks++;
            if (thrown.isEmpty()) {
                return Optional.empty();
            }
            Failure failure = new Failure(values, thrown.get());
            if (divergences.of(rule.id(), failure.message()).isPresent()) {
                diverging++;
                diverged = diverged.or(() -> Optional.of(failure));
                return Optional.empty();
            }
            if (made == MOST_REPEATS || !canLose() || !takeRepeat.getAsBoolean()) {
                return Optional.of(failure);
            }
            repeats.add(failure.message());
        }
    }

    private Optional<Throwable> attempt(List<Object> values) {
        try {
            rule.test().invoke(suite, values.toArray());
            return Optional.empty();
        } catch (InvocationTargetException e) {
            return Optional.of(Objects.requireNonNull(e.getCause()));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the rules of a suite are public", e);
        }
    }

    private boolean isSimulated() {
        return holds(pair ->
                pair.first().facts().virtualTime() && pair.second().facts().virtualTime());
    }

    private boolean canLose() {
        return holds(pair -> pair.link().canLose());
    }

    private boolean holds(Predicate<Pair> property) {
        try (Pair pair = suite.pair()) {
            return property.test(pair);
        } catch (RuntimeException unusable) {
            return false;
        }
    }
}
