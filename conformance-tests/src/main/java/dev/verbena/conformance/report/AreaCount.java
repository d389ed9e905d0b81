// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.RulePage;
import java.util.List;

/** The number of results in one rule area, by outcome. */
record AreaCount(String area, String about, List<RuleResult> results) {
    /** Returns the rule areas that contain rules, in the order of docs/rules.md. */
    static List<AreaCount> of(RunReport report) {
        return RulePage.AREAS.entrySet().stream()
                .map(area -> new AreaCount(
                        area.getKey(),
                        area.getValue(),
                        report.results().stream()
                                .filter(result -> result.rule().area().equals(area.getKey()))
                                .toList()))
                .filter(area -> !area.results().isEmpty())
                .toList();
    }

    long count(Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }
}
