// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.conformance.VerbsConformance;
import dev.verbena.conformance.rules.RuleCatalogue;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A selection of rules of the conformance kit, in the order of their ids. */
record RuleSelection(List<RuleCatalogue.Entry> rules) {
    static RuleSelection all() {
        return new RuleSelection(RuleCatalogue.of(VerbsConformance.class));
    }

    /** Converts the value of an option that selects rules: rule areas and rule ids, separated by commas. */
    static final class Converter implements ITypeConverter<RuleSelection> {
        @Override
        public RuleSelection convert(String text) {
            try {
                return new RuleSelection(RuleCatalogue.select(all().rules, text));
            } catch (IllegalArgumentException unknown) {
                throw new TypeConversionException(unknown.getMessage());
            }
        }
    }
}
