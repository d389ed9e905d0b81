// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.conformance.rules.RulePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleCatalogueTest {
    private final List<RuleCatalogue.Entry> rules = RuleCatalogue.of(VerbsConformance.class);

    @Test
    void theCatalogueHoldsEveryTestOfTheSuiteAndNoOther() {
        List<String> tests = List.of(VerbsConformance.class.getMethods()).stream()
                .filter(method -> method.isDefault() && !method.getName().equals("pair"))
                .map(method -> method.getName())
                .toList();
        assertThat(rules).extracting(rule -> rule.test().getName()).containsExactlyInAnyOrderElementsOf(tests);
    }

    @Test
    void everyRuleIsNamedOnceAndHasAllItsTexts() {
        assertThat(rules).extracting(RuleCatalogue.Entry::id).doesNotHaveDuplicates();
        assertThat(rules).allSatisfy(rule -> {
            assertThat(rule.id()).matches("[A-Z]+-\\d\\d");
            assertThat(rule.text()).endsWith(".");
            assertThat(rule.source()).isNotBlank();
            assertThat(rule.lookAt()).isNotEmpty();
        });
    }

    @Test
    void theAreasAreThoseOfTheRuleSets() {
        assertThat(rules)
                .extracting(RuleCatalogue.Entry::area)
                .allSatisfy(area -> assertThat(RulePage.AREAS).containsKey(area));
    }

    /** Run with {@code -Dverbena.docs.write=true} to write the page anew. */
    @Test
    void thePageOfTheRulesIsTheCatalogue() throws IOException {
        Path page = Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../docs/rules.md");
        String expected = RulePage.of(rules);
        if (Boolean.getBoolean("verbena.docs.write")) {
            Files.writeString(page, expected);
        }
        assertThat(Files.readString(page))
                .as("docs/rules.md, which this test writes with -Dverbena.docs.write=true")
                .isEqualTo(expected);
    }
}
