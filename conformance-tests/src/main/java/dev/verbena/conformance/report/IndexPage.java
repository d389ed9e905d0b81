// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import static dev.verbena.conformance.report.Html.text;

import dev.verbena.conformance.report.RuleResult.Outcome;
import java.util.List;

/** The first page of the conformance report, with the results by rule area and by rule. */
final class IndexPage {
    private IndexPage() {}

    static String of(RunReport report) {
        StringBuilder page = new StringBuilder();
        page.append("<header><p class=\"kind\">Verbs conformance</p>\n<h1>")
                .append(text(report.title()))
                .append("</h1>\n");
        verdict(report, page);
        bar(report, page);
        facts(report, page);
        page.append("</header>\n");
        List<RuleResult> failures = report.withOutcome(Outcome.FAILED);
        if (!failures.isEmpty()) {
            page.append("<section class=\"failures\"><h2>What failed</h2>\n");
            failures.forEach(failure -> failure(failure, page));
            page.append("</section>\n");
        }
        areas(report, page);
        rules(report, page);
        return Html.page(report.title() + " · verbs conformance", page.toString());
    }

    private static void verdict(RunReport report, StringBuilder page) {
        long failed = report.count(Outcome.FAILED);
        long kept = report.count(Outcome.PASSED);
        String word = failed > 0 ? "failed" : kept > 0 ? "passed" : "not-run";
        String sentence = failed == 1
                ? "1 rule is broken"
                : failed > 0
                        ? failed + " rules are broken"
                        : kept > 0 ? "Every rule that ran is kept" : "No rule was kept";
        page.append("<p class=\"verdict ")
                .append(word)
                .append("\">")
                .append(sentence)
                .append("</p>\n<ul class=\"counts\">\n");
        for (Outcome outcome : Outcome.values()) {
            page.append("<li class=\"")
                    .append(style(outcome))
                    .append("\"><b>")
                    .append(report.count(outcome))
                    .append("</b> ")
                    .append(outcome.word())
                    .append("</li>\n");
        }
        page.append("<li><b>").append(report.results().size()).append("</b> rules</li>\n</ul>\n");
    }

    private static void bar(RunReport report, StringBuilder page) {
        page.append("<div class=\"bar\" aria-hidden=\"true\">");
        for (Outcome outcome : Outcome.values()) {
            long count = report.count(outcome);
            if (count > 0) {
                page.append("<i class=\"")
                        .append(style(outcome))
                        .append("\" style=\"flex:")
                        .append(count)
                        .append("\"></i>");
            }
        }
        page.append("</div>\n");
    }

    private static void facts(RunReport report, StringBuilder page) {
        page.append("<dl class=\"facts\">\n");
        report.facts()
                .forEach((name, value) -> page.append("<div><dt>")
                        .append(text(name))
                        .append("</dt><dd>")
                        .append(text(value))
                        .append("</dd></div>\n"));
        page.append("<div><dt>Time in rules</dt><dd>")
                .append(Html.time(report.time()))
                .append("</dd></div>\n</dl>\n");
    }

    private static void failure(RuleResult failure, StringBuilder page) {
        page.append("<article>").append(link(failure)).append("<p class=\"sentence\">");
        page.append(text(failure.rule().text()))
                .append("</p>\n<pre>")
                .append(text(failure.message()))
                .append("</pre></article>\n");
    }

    private static String link(RuleResult result) {
        String id = result.rule().id();
        return "<a class=\"id\" href=\"rules/" + id + ".html\">" + id + "</a>";
    }

    private static void areas(RunReport report, StringBuilder page) {
        page.append("<section><h2>By area</h2>\n<div class=\"wide\"><table class=\"areas\">\n<thead><tr><th>Area</th>"
                + "<th class=\"about\">About</th><th>Rules</th>");
        for (Outcome outcome : Outcome.values()) {
            page.append("<th>").append(capital(outcome.word())).append("</th>");
        }
        page.append("</tr></thead>\n<tbody>\n");
        for (AreaCount area : AreaCount.of(report)) {
            page.append("<tr><td><a class=\"id\" href=\"#")
                    .append(area.area())
                    .append("\">")
                    .append(area.area())
                    .append("</a></td><td class=\"about\">")
                    .append(text(area.about()))
                    .append("</td><td>")
                    .append(area.results().size())
                    .append("</td>");
            for (Outcome outcome : Outcome.values()) {
                long count = area.count(outcome);
                page.append(count == 0 ? "<td class=\"none\">" : "<td class=\"" + style(outcome) + "\">")
                        .append(count == 0 ? "·" : Long.toString(count))
                        .append("</td>");
            }
            page.append("</tr>\n");
        }
        page.append("</tbody></table></div></section>\n");
    }

    private static void rules(RunReport report, StringBuilder page) {
        page.append("""
                <section><h2>By rule</h2>
                <fieldset class="filter"><legend>Show</legend>
                <label><input type="radio" name="show" id="show-all" checked> all</label>
                """);
        for (Outcome outcome : Outcome.values()) {
            if (report.count(outcome) > 0) {
                page.append("<label><input type=\"radio\" name=\"show\" id=\"show-")
                        .append(style(outcome))
                        .append("\"> ")
                        .append(outcome.word())
                        .append("</label>\n");
            }
        }
        page.append("</fieldset>\n");
        for (AreaCount area : AreaCount.of(report)) {
            page.append("<h3 id=\"")
                    .append(area.area())
                    .append("\">")
                    .append(area.area())
                    .append(" <span>")
                    .append(text(area.about()))
                    .append("</span></h3>\n<ul class=\"rules\">\n");
            area.results().forEach(result -> rule(result, page));
            page.append("</ul>\n");
        }
        page.append("</section>\n");
    }

    private static void rule(RuleResult result, StringBuilder page) {
        page.append("<li class=\"")
                .append(style(result.outcome()))
                .append("\">")
                .append(link(result))
                .append("<span class=\"sentence\">")
                .append(text(result.rule().text()));
        String why = result.reason().isEmpty() ? result.message() : result.reason();
        if (result.outcome() != Outcome.FAILED && !why.isEmpty()) {
            page.append("<small>").append(text(why)).append("</small>");
        }
        page.append("</span>").append(chip(result.outcome())).append("</li>\n");
    }

    private static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    static String chip(Outcome outcome) {
        return "<span class=\"chip " + style(outcome) + "\">" + outcome.word() + "</span>";
    }

    private static String style(Outcome outcome) {
        return outcome.word().replace(' ', '-');
    }
}
