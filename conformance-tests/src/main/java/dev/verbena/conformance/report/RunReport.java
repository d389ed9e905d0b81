// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.RulePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The report of one execution of a conformance suite.
 *
 * @param title the name of the provider or suite that was tested
 * @param facts attributes of the execution, such as the Java version, by name, in the order in which the report shows them
 * @param results one result for each rule of the kit; the report sorts them by rule area
 * @param alone a function from a result to the command line that runs only the rule of this result
 */
public record RunReport(
        String title, Map<String, String> facts, List<RuleResult> results, Function<RuleResult, String> alone) {
    private static final String XML = "TEST-conformance.xml";

    /** Copies the arguments. */
    public RunReport {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        List<String> areas = List.copyOf(RulePage.AREAS.keySet());
        results = results.stream()
                .sorted(Comparator.<RuleResult>comparingInt(
                                result -> areas.indexOf(result.rule().area()))
                        .thenComparing(result -> result.rule().id()))
                .toList();
    }

    /**
     * {@return the report of a suite of conformance rules that Maven ran as a JUnit test class}
     *
     * @param suite the name of the suite's test class
     * @param results the results of the rules
     */
    public static RunReport of(String suite, List<RuleResult> results) {
        return new RunReport(
                suite,
                Map.of("Java", Runtime.version().toString()),
                results,
                result ->
                        "mvn test -Dtest=" + suite + "#" + result.rule().test().getName());
    }

    /**
     * {@return the number of rules with the given outcome}
     *
     * @param outcome the outcome
     */
    public long count(Outcome outcome) {
        return withOutcome(outcome).size();
    }

    /**
     * {@return the results with the given outcome}
     *
     * @param outcome the outcome
     */
    public List<RuleResult> withOutcome(Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).toList();
    }

    /** {@return the total time of all rules} */
    public Duration time() {
        return results.stream().map(RuleResult::time).reduce(Duration.ZERO, Duration::plus);
    }

    /**
     * Writes {@code index.html} and {@code TEST-conformance.xml}, and writes one page for each rule into the
     * subdirectory {@code rules}.
     *
     * @param directory the directory of the report; it is created if it does not exist, and pages of an earlier report
     *     in it are overwritten
     * @throws IOException if a file of the report cannot be written
     * @see #hasOtherFiles
     */
    public void write(Path directory) throws IOException {
        Path rules = Files.createDirectories(directory.resolve("rules"));
        // The method hasOtherFiles recognizes a report directory by the XML file. The XML file is written first, so
        // that hasOtherFiles recognizes the report directory even if writing an HTML page fails.
        Files.writeString(directory.resolve(XML), JunitXml.of(this));
        Files.writeString(directory.resolve("index.html"), IndexPage.of(this));
        for (int i = 0; i < results.size(); i++) {
            Files.writeString(rules.resolve(results.get(i).rule().id() + ".html"), ResultPage.of(this, i));
        }
    }

    /**
     * {@return true if the directory contains files, but no XML file of a report. In such a directory, {@link #write}
     * could overwrite a user's file}
     *
     * @param directory the directory, which must exist
     * @throws IOException if the directory cannot be read
     */
    public static boolean hasOtherFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isPresent() && !Files.exists(directory.resolve(XML));
        }
    }
}
