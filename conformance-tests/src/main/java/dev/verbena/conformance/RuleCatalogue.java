package dev.verbena.conformance;

import dev.verbena.verbs.Capability;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All rules of a suite, read from their tests. */
public final class RuleCatalogue {
    private RuleCatalogue() {}

    /**
     * A rule as reports show it.
     *
     * @param id area and number, such as {@code POST-07}
     * @param text the sentence
     * @param source who demands it
     * @param needs what both devices must be able to do
     * @param rig what the rig must be able to do
     * @param lookAt where to begin when it is broken
     * @param test the method that checks it
     */
    public record Entry(
            String id,
            String text,
            String source,
            List<Capability> needs,
            List<Needs> rig,
            List<String> lookAt,
            Method test) {
        /** Keeps its own copies of the lists. */
        public Entry {
            needs = List.copyOf(needs);
            rig = List.copyOf(rig);
            lookAt = List.copyOf(lookAt);
        }

        /**
         * Returns the part of the id before the number.
         *
         * @return such as {@code POST}
         */
        public String area() {
            return id.substring(0, id.indexOf('-'));
        }
    }

    /**
     * Lists the rules of a suite.
     *
     * @param suite a class or interface with rules, inherited ones included
     * @return the rules in the order of their ids
     */
    public static List<Entry> of(Class<?> suite) {
        return Stream.of(suite.getMethods())
                .flatMap(test -> entry(test).stream())
                .sorted(Comparator.comparing(Entry::id))
                .toList();
    }

    static Optional<Entry> entry(Method test) {
        return Optional.ofNullable(test.getAnnotation(Rule.class))
                .map(rule -> new Entry(
                        rule.id(),
                        rule.text(),
                        rule.source(),
                        List.of(rule.needs()),
                        List.of(rule.rig()),
                        List.of(rule.lookAt()),
                        test));
    }
}
