// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.SuiteRun;
import dev.verbena.conformance.VerbsConformance;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.sim.profile.DeviceProfile;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit against providers with a fault: each rule that the mutant names must find and report the fault. */
class MutantsTest {
    /** All rules that the software device can run. UnrulyKitTest has a fault for each other rule. */
    private static final List<RuleCatalogue.Entry> RULES = RuleCatalogue.of(VerbsConformance.class).stream()
            .filter(rule -> DeviceProfile.specification().capabilities().containsAll(rule.needs()))
            .toList();

    /** Enough that no fault survives by luck; the first failure ends it. */
    private static final int TRIES = 1000;

    private static Map<String, Optional<Throwable>> run(Mutant mutant, int tries, Collection<String> ids) {
        return MutantSuite.run(mutant, rules(ids), tries, false).failures();
    }

    private static List<RuleCatalogue.Entry> rules(Collection<String> ids) {
        List<RuleCatalogue.Entry> rules =
                RULES.stream().filter(rule -> ids.contains(rule.id())).toList();
        assertThat(rules).hasSameSizeAs(ids);
        return rules;
    }

    @ParameterizedTest
    @MethodSource("dev.verbena.conformance.mutants.Mutants#all")
    void theRulesThatNameAFaultFindIt(Mutant mutant) {
        Map<String, Optional<Throwable>> run = run(mutant, TRIES, mutant.rules());
        if (Boolean.getBoolean("verbena.mutants.show")) {
            run.forEach((id, failure) -> System.out.println(mutant + " => " + id + " "
                    + failure.map(thrown -> thrown.getMessage()
                                    .lines()
                                    .filter(line -> line.contains("what happened") || line.contains("with:"))
                                    .toList()
                                    .toString())
                            .orElse("SURVIVES")));
        }
        run.forEach((id, failure) -> assertThat(failure)
                .as("%s survives %s", mutant, id)
                .hasValueSatisfying(thrown -> assertThat(thrown.getMessage())
                        .startsWith("rule " + id + " is broken: ")
                        .contains("seed: ", "source: ", "look at: ")
                        // Words of the rule's own: neither two bare values nor an accident of the kit.
                        .containsPattern("what happened: (?!expected:|array contents)")
                        .doesNotContainPattern("NullPointer|ClassCast|IndexOutOfBounds|IllegalArgument")));
    }

    @Test
    void withoutAFaultNothingIsFound() {
        Set<String> ids = new TreeSet<>();
        RULES.forEach(rule -> ids.add(rule.id()));
        ids.removeIf(id -> id.startsWith("THREADS"));
        assertThat(run(Mutant.of("none", "nothing", () -> Fault.NONE), 2, ids))
                .allSatisfy((id, failure) -> assertThat(failure).as(id).isEmpty());
    }

    @Test
    void everyRuleHasAMutant() {
        Set<String> killed = new TreeSet<>();
        Mutants.all().forEach(mutant -> killed.addAll(mutant.rules()));
        assertThat(killed)
                .containsExactlyElementsOf(
                        RULES.stream().map(RuleCatalogue.Entry::id).toList());
    }

    /** The fault is found in the middle of long programs; the shrunk failure shows only the one necessary step. */
    @Test
    void aFailureShowsTheSeedTheShrunkProgramAndWhereToLook() {
        Mutant mutant = Mutants.all().stream()
                .filter(each -> each.rules().contains("ATOMIC-01"))
                .findFirst()
                .orElseThrow();
        SuiteRun run = MutantSuite.run(mutant, rules(Set.of("MODEL-01")), TRIES, true);
        String message = run.failures().get("MODEL-01").orElseThrow().getMessage();
        assertThat(message.lines().map(String::strip))
                .startsWith("rule MODEL-01 is broken: "
                        + rules(Set.of("MODEL-01")).getFirst().text())
                .contains("program =")
                .anySatisfy(line -> assertThat(line).matches("FIRST posts \\[ATOMIC_[A-Z_]+ 8 at 0 with -1]"))
                .hasSizeLessThan(12)
                .anySatisfy(line -> assertThat(line).startsWith("what happened: memory of sim1: byte 1028 of "))
                .anySatisfy(line -> assertThat(line).matches("seed: +-?\\d+"))
                .anySatisfy(line -> assertThat(line).startsWith("look at: "))
                .noneSatisfy(line -> assertThat(line).containsPattern("@[0-9a-f]{4,}"));
    }
}
