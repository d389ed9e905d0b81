// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.verbs.Capability;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All rules of a suite, read from the annotations of its test methods. */
public final class RuleCatalogue {
    private RuleCatalogue() {}

    /** A rule with its attributes. */
    public static final class Entry {
        private final Values values;

        record Values(
                String id,
                String text,
                String source,
                List<Capability> needs,
                List<Needs> rig,
                List<String> lookAt,
                int tries,
                Method test) {
            Values {
                needs = List.copyOf(needs);
                rig = List.copyOf(rig);
                lookAt = List.copyOf(lookAt);
            }
        }

        Entry(Values values) {
            this.values = values;
        }

        /** {@return the id of the rule: the rule area and a number, such as {@code POST-07}} */
        public String id() {
            return values.id;
        }

        /** {@return the statement of the rule in whole sentences} */
        public String text() {
            return values.text;
        }

        /** {@return the section of the specification or the manual page that requires this behavior} */
        public String source() {
            return values.source;
        }

        /** {@return the capabilities that the devices of both peers need for this conformance rule} */
        public List<Capability> needs() {
            return values.needs;
        }

        /** {@return the requirements on the rig} */
        public List<Needs> rig() {
            return values.rig;
        }

        /** {@return the details that the author of a provider should check when the provider violates the rule} */
        public List<String> lookAt() {
            return values.lookAt;
        }

        /** {@return the number of executions of the rule, or 0 for the suite's default number} */
        public int tries() {
            return values.tries;
        }

        /** {@return the test method that checks the rule} */
        public Method test() {
            return values.test;
        }

        /** {@return the rule area of the rule: the letters before the hyphen of the id, such as {@code POST}} */
        public String area() {
            return values.id.substring(0, values.id.indexOf('-'));
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Entry same && values.equals(same.values);
        }

        @Override
        public int hashCode() {
            return values.hashCode();
        }

        @Override
        public String toString() {
            return "Entry" + values.toString().substring("Values".length());
        }
    }

    /**
     * {@return the rules of a suite, in the order of their ids}
     *
     * @param suite a class or interface that declares or inherits rules
     */
    public static List<Entry> of(Class<?> suite) {
        return Stream.of(suite.getMethods())
                .flatMap(test -> entry(test).stream())
                .sorted(Comparator.comparing(Entry::id))
                .toList();
    }

    /**
     * {@return the rules with the given rule areas and ids, in the order of their ids}
     *
     * @param rules the rules to select from
     * @param names rule areas and rule ids, in upper or lower case, separated by commas
     * @throws IllegalArgumentException if a name is neither a rule area nor a rule id; the exception's message contains
     *     similar names
     */
    public static List<Entry> select(List<Entry> rules, String names) {
        Set<String> ids = new HashSet<>();
        for (String word : names.split(",", -1)) {
            String name = word.strip().toUpperCase(Locale.ROOT);
            List<String> meant = rules.stream()
                    .filter(rule -> rule.id().equals(name) || rule.area().equals(name))
                    .map(Entry::id)
                    .toList();
            if (meant.isEmpty()) {
                throw new IllegalArgumentException("'" + word + "' is not a rule; " + hint(rules, name));
            }
            ids.addAll(meant);
        }
        return rules.stream().filter(rule -> ids.contains(rule.id())).toList();
    }

    private static String hint(List<Entry> rules, String name) {
        String area = name.contains("-") ? name.substring(0, name.indexOf('-')) : name;
        List<String> neighbours = rules.stream()
                .filter(rule -> rule.area().equals(area))
                .map(Entry::id)
                .toList();
        return neighbours.isEmpty()
                ? "the areas are " + rules.stream().map(Entry::area).distinct().collect(Collectors.joining(" "))
                : "those of " + area + " are " + neighbours.getFirst() + " to " + neighbours.getLast();
    }

    /**
     * {@return the rule that a method checks, or empty if the method checks no rule}
     *
     * @param test the method
     */
    public static Optional<Entry> entry(Method test) {
        return Optional.ofNullable(test.getAnnotation(Rule.class))
                .map(rule -> new Entry(new Entry.Values(
                        rule.id(),
                        rule.text(),
                        rule.source(),
                        List.of(rule.needs()),
                        List.of(rule.rig()),
                        List.of(rule.lookAt()),
                        rule.tries(),
                        test)));
    }
}
