package dev.verbena.cli.conformance;

import dev.verbena.conformance.VerbsConformance;
import dev.verbena.conformance.rules.RuleCatalogue;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A selection of rules of the kit.
 *
 * @param ids their ids
 */
record RuleSelection(Set<String> ids) {
    private static final List<RuleCatalogue.Entry> RULES = RuleCatalogue.of(VerbsConformance.class);

    static RuleSelection all() {
        return new RuleSelection(RULES.stream().map(RuleCatalogue.Entry::id).collect(Collectors.toSet()));
    }

    /** Converts the value of an option: areas and ids, separated by commas. */
    static final class Converter implements ITypeConverter<RuleSelection> {
        @Override
        public RuleSelection convert(String text) {
            Set<String> ids = new TreeSet<>();
            for (String word : text.split(",", -1)) {
                String name = word.strip().toUpperCase(Locale.ROOT);
                List<String> meant = RULES.stream()
                        .filter(rule -> rule.id().equals(name) || rule.area().equals(name))
                        .map(RuleCatalogue.Entry::id)
                        .toList();
                if (meant.isEmpty()) {
                    throw new TypeConversionException("'" + word + "' is not a rule; " + hint(name));
                }
                ids.addAll(meant);
            }
            return new RuleSelection(ids);
        }

        private static String hint(String name) {
            String area = name.contains("-") ? name.substring(0, name.indexOf('-')) : name;
            List<String> neighbours = RULES.stream()
                    .filter(rule -> rule.area().equals(area))
                    .map(RuleCatalogue.Entry::id)
                    .toList();
            return neighbours.isEmpty()
                    ? "the areas are "
                            + RULES.stream()
                                    .map(RuleCatalogue.Entry::area)
                                    .distinct()
                                    .collect(Collectors.joining(" "))
                    : "those of " + area + " are " + neighbours.getFirst() + " to " + neighbours.getLast();
        }
    }
}
