// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import static dev.verbena.conformance.report.Html.text;

import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.Needs;
import dev.verbena.conformance.rules.RuleCatalogue;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of one rule. */
final class ResultPage {
    private ResultPage() {}

    /** Returns the HTML page of the result with the index {@code place} in the report. */
    static String of(RunReport report, int place) {
        RuleResult result = report.results().get(place);
        RuleCatalogue.Entry rule = result.rule();
        StringBuilder page = new StringBuilder();
        page.append("<nav>");
        neighbour(report, place - 1, "← ", "", page);
        page.append("<a class=\"up\" href=\"../index.html#")
                .append(rule.area())
                .append("\">")
                .append(text(report.title()))
                .append("</a>");
        neighbour(report, place + 1, "", " →", page);
        page.append("</nav>\n<header><p class=\"kind\"><span class=\"id\">")
                .append(rule.id())
                .append("</span>")
                .append(IndexPage.chip(result.outcome()))
                .append("</p>\n<h1 class=\"rule\">")
                .append(text(rule.text()))
                .append("</h1></header>\n");
        outcome(result, page);
        page.append("<dl class=\"rule\">\n");
        entry("Source", text(rule.source()), page);
        entry("Needs", needs(rule), page);
        entry(
                "If the rule fails, examine",
                rule.lookAt().stream()
                        .map(hint -> "<li>" + text(hint) + "</li>")
                        .collect(Collectors.joining("", "<ul>", "</ul>")),
                page);
        if (result.tries() > 0) {
            String tries = result.tries() == 1 ? "1 try" : result.tries() + " tries";
            entry("Effort", tries + ", " + Html.time(result.time()), page);
        }
        if (!result.repeats().isEmpty()) {
            entry(
                    "Repeated after",
                    result.repeats().stream()
                            .map(failure -> "<li>" + text(failure) + "</li>")
                            .collect(Collectors.joining("", "<ul>", "</ul>")),
                    page);
        }
        result.seed().ifPresent(seed -> entry("Seed of its values", "<code>" + text(seed) + "</code>", page));
        entry("Checked by", "<code>" + text(test(rule)) + "</code>", page);
        entry("Run it alone", "<pre>" + text(report.alone().apply(result)) + "</pre>", page);
        page.append("</dl>\n");
        result.thrown()
                .ifPresent(thrown -> page.append("<details><summary>Where in the program</summary><pre>")
                        .append(text(trace(thrown)))
                        .append("</pre></details>\n"));
        return Html.page(rule.id() + " · " + result.outcome().word() + " · " + report.title(), page.toString());
    }

    private static void neighbour(RunReport report, int place, String before, String behind, StringBuilder page) {
        if (place < 0 || place >= report.results().size()) {
            page.append("<span></span>");
            return;
        }
        String id = report.results().get(place).rule().id();
        page.append("<a class=\"id\" href=\"")
                .append(id)
                .append(".html\">")
                .append(before)
                .append(id)
                .append(behind)
                .append("</a>");
    }

    private static void outcome(RuleResult result, StringBuilder page) {
        if (result.outcome() == Outcome.PASSED) {
            return;
        }
        page.append("<section class=\"outcome ")
                .append(result.outcome().word().replace(' ', '-'))
                .append("\">\n<h2>")
                .append(
                        switch (result.outcome()) {
                            case FAILED -> "What happened";
                            case DIVERGED -> "A known divergence";
                            case SKIPPED -> "Why it was skipped";
                            case NOT_RUN -> "Not selected";
                            case PASSED -> "";
                        })
                .append("</h2>\n");
        if (!result.reason().isEmpty()) {
            page.append("<p>").append(text(result.reason())).append("</p>\n");
        }
        if (!result.message().isEmpty()) {
            page.append("<pre>").append(text(result.message())).append("</pre>\n");
        }
        result.sample()
                .ifPresent(sample -> page.append("<p>With these values:</p>\n<pre>")
                        .append(text(sample))
                        .append("</pre>\n"));
        page.append("</section>\n");
    }

    private static String needs(RuleCatalogue.Entry rule) {
        String needs = Stream.concat(
                        rule.needs().stream().map(need -> need.description() + " (" + need + ")"),
                        rule.rig().stream().map(Needs::description))
                .map(need -> "<li>" + text(need) + "</li>")
                .collect(Collectors.joining());
        return needs.isEmpty() ? "only a device" : "<ul>" + needs + "</ul>";
    }

    private static String test(RuleCatalogue.Entry rule) {
        return rule.test().getDeclaringClass().getSimpleName() + "."
                + rule.test().getName();
    }

    private static void entry(String name, String html, StringBuilder page) {
        page.append("<dt>").append(name).append("</dt><dd>").append(html).append("</dd>\n");
    }

    private static String trace(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }
}
