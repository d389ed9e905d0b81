package dev.verbena.conformance;

import dev.verbena.conformance.Divergences.Divergence;
import dev.verbena.conformance.rules.RuleCatalogue;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.Store;

/** The tries of the property that is running: which were repeated, and which diverged as stated. */
final class RuleRun {
    private static final String STORE = RuleRun.class.getName();

    private final List<String> repeats = new ArrayList<>();
    private Optional<Diverged> first = Optional.empty();
    private int diverging;

    /**
     * A try that failed as a divergence states.
     *
     * @param known the divergence
     * @param message the outcome
     * @param sample the values of the try
     * @param thrown the exception of the try
     */
    record Diverged(Divergence known, String message, Optional<String> sample, Optional<Throwable> thrown) {}

    static RuleRun current() {
        return Store.getOrCreate(STORE, Lifespan.PROPERTY, RuleRun::new).get();
    }

    void repeated(String failure) {
        repeats.add(failure);
    }

    void diverged(Divergence known, String message, Optional<String> sample, Optional<Throwable> thrown) {
        diverging++;
        if (first.isEmpty()) {
            first = Optional.of(new Diverged(known, message, sample, thrown));
        }
    }

    /** Returns the failures of repeated tries. */
    List<String> repeats() {
        return List.copyOf(repeats);
    }

    Optional<Diverged> firstDiverged() {
        return first;
    }

    int diverging() {
        return diverging;
    }

    /** The message of a failure, and of those that followed it while the rig was closed. */
    static String message(Optional<Throwable> thrown) {
        return thrown.map(cause -> Stream.concat(Stream.of(cause), Arrays.stream(cause.getSuppressed()))
                        .map(each -> each.getMessage() == null ? each.toString() : each.getMessage())
                        .collect(Collectors.joining("; and then: ")))
                .orElse("");
    }

    /** The values of a try, by the names of the rule's parameters. */
    static Optional<String> sample(RuleCatalogue.Entry rule, List<Object> values) {
        if (values.isEmpty()) {
            return Optional.empty();
        }
        Parameter[] parameters = rule.test().getParameters();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            lines.add(parameters[i].getName() + " = " + values.get(i));
        }
        return Optional.of(String.join(System.lineSeparator() + "                 ", lines));
    }
}
