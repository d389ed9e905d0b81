// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import dev.verbena.conformance.report.RuleResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A summary of a {@link RunReport} in plain text: a table of the rule areas, the skipped rules, the rules with known
 * divergences, the rules with retried executions, and the failures.
 */
public final class TextSummary {
    private static final int WIDTH = 90;

    private TextSummary() {}

    /**
     * {@return the lines of the summary}
     *
     * @param report the report to summarize
     */
    public static List<String> of(RunReport report) {
        List<String> lines = new ArrayList<>();
        lines.add(row("area", "rules", "passed", "failed", "diverges", "skipped", "not run"));
        for (AreaCount area : AreaCount.of(report)) {
            lines.add(row(area));
        }
        lines.add(row(new AreaCount("all", "", report.results())));
        reasons("skipped", report.withOutcome(Outcome.SKIPPED), lines);
        reasons("diverges", report.withOutcome(Outcome.DIVERGED), lines);
        for (RuleResult result : report.results()) {
            if (!result.repeats().isEmpty()) {
                lines.add("");
                lines.add("repeated: " + result.rule().id() + ", which "
                        + result.outcome().word() + "; its tries failed "
                        + result.repeats().size() + " times before:");
                result.repeats().forEach(failure -> failure.lines().forEach(line -> lines.add("  " + line)));
            }
        }
        for (RuleResult failure : report.withOutcome(Outcome.FAILED)) {
            lines.add("");
            lines.add("FAILED " + failure.rule().id() + ": " + failure.rule().text());
            failure.message().lines().forEach(line -> lines.add("  " + line));
            failure.sample().ifPresent(sample -> sample.lines().forEach(line -> lines.add("  with: " + line)));
            lines.add("  source: " + failure.rule().source());
            failure.rule().lookAt().forEach(hint -> lines.add("  look at: " + hint));
            lines.add("  alone: " + report.alone().apply(failure));
        }
        return lines;
    }

    private static String row(AreaCount area) {
        return row(
                area.area(),
                area.results().size(),
                area.count(Outcome.PASSED),
                area.count(Outcome.FAILED),
                area.count(Outcome.DIVERGED),
                area.count(Outcome.SKIPPED),
                area.count(Outcome.NOT_RUN));
    }

    private static String row(Object... cells) {
        return "%-9s %6s %7s %7s %9s %8s %8s".formatted(cells);
    }

    private static void reasons(String word, List<RuleResult> results, List<String> lines) {
        Map<String, List<RuleResult>> byReason = results.stream()
                .collect(Collectors.groupingBy(
                        result -> result.reason().isEmpty() ? result.message() : result.reason(),
                        TreeMap::new,
                        Collectors.toList()));
        byReason.forEach((reason, those) -> {
            lines.add("");
            lines.add(word + ": " + reason.lines().findFirst().orElse("no reason was given"));
            StringBuilder line = new StringBuilder(" ");
            for (RuleResult result : those) {
                if (line.length() > WIDTH) {
                    lines.add(line.toString());
                    line = new StringBuilder(" ");
                }
                line.append(' ').append(result.rule().id());
            }
            lines.add(line.toString());
        });
    }
}
