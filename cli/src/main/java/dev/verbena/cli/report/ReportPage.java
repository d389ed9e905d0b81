// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import java.util.List;
import java.util.Locale;

/** The start page of a hardware report, in HTML. All links of this HTML page lead to files in the report's archive. */
final class ReportPage {
    private static final String STYLE = """
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
            table { border-collapse: collapse; } td, th { padding: .2rem 1rem .2rem 0; text-align: left; vertical-align: top; }
            .bad { color: #c03030; } .good { color: #2a8040; } code { overflow-wrap: anywhere; }
            """;

    private ReportPage() {}

    /** Creates the HTML page. A step without a result has not run yet. */
    static String of(String title, List<Step> steps, List<StepResult> results) {
        long passed = results.stream().filter(StepResult::passed).count();
        StringBuilder page = new StringBuilder(
                "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                        + "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" + escape(title)
                        + "</title><style>\n"
                        + STYLE + "</style></head><body>\n<h1>" + escape(title) + "</h1>\n<p>" + passed + " of "
                        + steps.size()
                        + " steps passed"
                        + (results.size() < steps.size() ? "; " + (steps.size() - results.size()) + " did not run" : "")
                        + ".</p>\n<table>\n<tr><th>Step</th><th>Result</th><th>Time</th><th>What it shows, and what to try</th></tr>\n");
        for (StepResult result : results) {
            row(page, result);
        }
        steps.stream()
                .skip(results.size())
                .forEach(step -> page.append("<tr><td>")
                        .append(escape(step.name()))
                        .append("</td><td>not run</td><td></td><td>")
                        .append(escape(step.purpose()))
                        .append("</td></tr>\n"));
        return page.append("</table>\n</body></html>\n").toString();
    }

    private static void row(StringBuilder page, StepResult result) {
        Step step = result.step();
        page.append("<tr><td><a href=\"")
                .append(step.name())
                .append(".txt\">")
                .append(escape(step.name()))
                .append("</a></td>");
        page.append("<td class=\"")
                .append(result.passed() ? "good" : "bad")
                .append("\">")
                .append(escape(result.verdict()))
                .append("</td><td>")
                .append(String.format(Locale.ROOT, "%.1f s", result.took().toMillis() / 1e3))
                .append("</td><td>")
                .append(escape(step.purpose()));
        if (!result.passed()) {
            page.append("<br><b>").append(escape(step.advice())).append("</b>");
        }
        page.append("<br><code>").append(escape(step.command())).append("</code></td></tr>\n");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
