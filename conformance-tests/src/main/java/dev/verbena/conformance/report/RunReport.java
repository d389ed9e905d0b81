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
 * The report of a run.
 *
 * @param title the provider or suite that was tested
 * @param facts further facts about the run, by name, in the order of the report
 * @param results one for each rule of the kit; sorted by area in the order of the documentation
 * @param alone returns the command that runs a rule alone, given its result
 */
public record RunReport(
        String title, Map<String, String> facts, List<RuleResult> results, Function<RuleResult, String> alone) {
    private static final String XML = "TEST-conformance.xml";

    /** Keeps its own copies. */
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
     * Makes the report of a suite that a build has run.
     *
     * @param suite the name of its class
     * @param results the results of the rules
     * @return a report
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
     * Counts rules by their end.
     *
     * @param outcome which end
     * @return how many ended so
     */
    public long count(Outcome outcome) {
        return withOutcome(outcome).size();
    }

    /**
     * Finds rules by their end.
     *
     * @param outcome which end
     * @return those that ended so
     */
    public List<RuleResult> withOutcome(Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).toList();
    }

    /**
     * Adds the times of all rules up.
     *
     * @return how long they took
     */
    public Duration time() {
        return results.stream().map(RuleResult::time).reduce(Duration.ZERO, Duration::plus);
    }

    /**
     * Writes {@code index.html}, one page for each rule in {@code rules}, and {@code TEST-conformance.xml}.
     *
     * @param directory where; made if it is not there. Pages of an earlier report are overwritten
     * @throws IOException if something cannot be written
     * @see #hasOtherFiles
     */
    public void write(Path directory) throws IOException {
        Path rules = Files.createDirectories(directory.resolve("rules"));
        // First, since it marks the directory as one of a report.
        Files.writeString(directory.resolve(XML), JunitXml.of(this));
        Files.writeString(directory.resolve("index.html"), IndexPage.of(this));
        for (int i = 0; i < results.size(); i++) {
            Files.writeString(rules.resolve(results.get(i).rule().id() + ".html"), ResultPage.of(this, i));
        }
    }

    /**
     * Returns whether a directory has files and is not that of an earlier report. Then {@link #write} could overwrite a user's file.
     *
     * @param directory the directory; it must exist
     * @return false if it is empty or has the {@code TEST-conformance.xml} of an earlier report
     * @throws IOException if the directory cannot be read
     */
    public static boolean hasOtherFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isPresent() && !Files.exists(directory.resolve(XML));
        }
    }
}
