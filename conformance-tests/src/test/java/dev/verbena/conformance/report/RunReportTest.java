// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.VerbsConformance;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.RuleCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** A report with every outcome, and with texts that would break pages without escaping. */
class RunReportTest {
    private static final String NASTY = "</pre><script>alert(1)</script> & \"quoted\" \u0001 end";
    private static final String REPEATED = "only 0 of 1 <requests>";
    private static final Pattern LINK = Pattern.compile("href=\"([^\"]*)\"");

    @TempDir
    Path directory;

    private final List<RuleCatalogue.Entry> rules = RuleCatalogue.of(VerbsConformance.class);
    private RunReport report;

    @BeforeEach
    void write() throws IOException {
        List<RuleResult> results = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            results.add(result(rules.get(i), Outcome.values()[i % Outcome.values().length]));
        }
        report = new RunReport(
                "device <0>",
                Map.of("Seed", "7"),
                results,
                result -> "alone " + result.rule().id());
        report.write(directory);
    }

    private static RuleResult result(RuleCatalogue.Entry rule, Outcome outcome) {
        boolean ran = outcome != Outcome.SKIPPED && outcome != Outcome.NOT_RUN;
        boolean broken = outcome == Outcome.FAILED || outcome == Outcome.DIVERGED;
        return RuleResults.of(
                rule,
                outcome,
                broken || outcome == Outcome.SKIPPED ? NASTY : "",
                outcome == Outcome.DIVERGED ? "a known <reason>" : "",
                outcome == Outcome.PASSED ? List.of(REPEATED) : List.of(),
                broken ? Optional.of("[<sample>]") : Optional.empty(),
                ran ? Optional.of("4711") : Optional.empty(),
                ran ? 12 : 0,
                ran ? Duration.ofMillis(1500) : Duration.ZERO,
                broken ? Optional.of(new AssertionError(NASTY)) : Optional.empty());
    }

    private String page(String name) throws IOException {
        return Files.readString(directory.resolve(name));
    }

    private List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".html")).toList();
        }
    }

    @Test
    void everyRuleHasAPageWithAllThatIsKnown() throws IOException {
        assertThat(pages()).hasSize(rules.size() + 1);
        for (RuleResult result : report.results()) {
            String page = page("rules/" + result.rule().id() + ".html");
            assertThat(page)
                    .contains(
                            Html.text(result.rule().text()),
                            Html.text(result.rule().source()),
                            ">" + result.outcome().word() + "<",
                            "alone " + result.rule().id(),
                            Html.text(result.reason()),
                            Html.text(result.message()))
                    .contains(result.rule().lookAt().stream().map(Html::text).toArray(String[]::new))
                    .contains(Html.text(
                            result.rule().needs().isEmpty()
                                    ? "only a device"
                                    : result.rule().needs().getLast().description()));
            assertThat(page.contains(Html.text(REPEATED)))
                    .isEqualTo(!result.repeats().isEmpty());
            assertThat(page.contains("12 tries, 1.5 s")).isEqualTo(result.tries() > 0);
            assertThat(page.contains("<code>4711</code>"))
                    .isEqualTo(result.seed().isPresent());
            assertThat(page.contains("[&lt;sample&gt;]"))
                    .isEqualTo(result.sample().isPresent());
        }
    }

    @Test
    void theIndexLinksEveryRuleWithItsOutcome() throws IOException {
        String index = page("index.html");
        long failed = report.count(Outcome.FAILED);
        assertThat(index).contains(failed + " rules are broken").doesNotContain("Every rule that ran is kept");
        for (RuleResult result : report.results()) {
            String id = result.rule().id();
            assertThat(index)
                    .containsPattern("<li class=\"" + result.outcome().word().replace(' ', '-')
                            + "\"><a class=\"id\" href=\"rules/" + id + "\\.html\">" + id + "</a>");
        }
    }

    @Test
    void noLinkLeadsNowhereOrOutOfTheReport() throws IOException {
        for (Path file : pages()) {
            String page = Files.readString(file);
            assertThat(page).doesNotContain("src=", "http:", "https:", "@import", "url(");
            Matcher link = LINK.matcher(page);
            while (link.find()) {
                String[] parts = link.group(1).split("#", 2);
                Path target = parts[0].isEmpty()
                        ? file
                        : file.getParent().resolve(parts[0]).normalize();
                assertThat(target).startsWith(directory).exists();
                if (parts.length == 2) {
                    assertThat(Files.readString(target)).contains("id=\"" + parts[1] + "\"");
                }
            }
        }
    }

    @Test
    void messagesOfProvidersAreEscaped() throws IOException {
        for (Path file : pages()) {
            assertThat(Files.readString(file))
                    .doesNotContain("<script", "<sample>", "<reason>", "device <0>")
                    .contains("device &lt;0&gt;");
        }
    }

    @Test
    void aRunOfNothingIsNoSuccess() throws IOException {
        RunReport nothing = new RunReport(
                "nothing",
                Map.of(),
                rules.stream().map(rule -> result(rule, Outcome.NOT_RUN)).toList(),
                result -> "");
        assertThat(IndexPage.of(nothing)).contains("No rule was kept").doesNotContain(">passed<", "Every rule");
        assertThat(TextSummary.of(nothing)).last().asString().matches("all +(\\d+)( +0){4} +\\1");
    }

    @Test
    void theXmlHasTheSameOutcomes() throws Exception {
        Document xml = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(directory.resolve("TEST-conformance.xml").toFile());
        Element suite = xml.getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo(String.valueOf(rules.size()));
        assertThat(suite.getAttribute("failures")).isEqualTo(String.valueOf(report.count(Outcome.FAILED)));
        NodeList cases = suite.getElementsByTagName("testcase");
        assertThat(cases.getLength()).isEqualTo(rules.size());
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            RuleResult result = report.results().get(i);
            assertThat(test.getAttribute("name")).startsWith(result.rule().id() + " ");
            assertThat(test.getElementsByTagName("failure").getLength())
                    .isEqualTo(result.outcome() == Outcome.FAILED ? 1 : 0);
            assertThat(test.getElementsByTagName("flakyFailure").getLength())
                    .isEqualTo(result.repeats().size());
            boolean ran = result.outcome() == Outcome.PASSED || result.outcome() == Outcome.FAILED;
            assertThat(test.getElementsByTagName("skipped").getLength()).isEqualTo(ran ? 0 : 1);
        }
        assertThat(Integer.parseInt(suite.getAttribute("skipped")))
                .isEqualTo(suite.getElementsByTagName("skipped").getLength());
    }

    @Test
    void theSummaryNamesTheReasonsAndTheFailures() {
        List<String> lines = TextSummary.of(report);
        RuleResult failure = report.withOutcome(Outcome.FAILED).getFirst();
        assertThat(lines)
                .contains(
                        "FAILED " + failure.rule().id() + ": " + failure.rule().text(),
                        "  alone: alone " + failure.rule().id(),
                        "  with: [<sample>]",
                        "diverges: a known <reason>",
                        "  " + REPEATED)
                .anySatisfy(line -> assertThat(line).startsWith("skipped: </pre>"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("  ")
                        .contains(report.withOutcome(Outcome.SKIPPED)
                                .getFirst()
                                .rule()
                                .id()));
    }
}
