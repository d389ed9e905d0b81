// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the names of code in documents with the classes and members of the sources. */
class CodeNamesTest {
    /** Classes of Java and DiSNI. */
    private static final Set<String> OTHERS = Set.of("DatagramChannel", "RdmaCm", "RdmaVerbs");

    @ParameterizedTest
    @ValueSource(strings = {"architecture.md", "fast-paths.md", "glossary.md"})
    void everyClassAndMemberThatADocumentNamesExists(String document) throws IOException {
        List<MatchResult> names = CodeNames.in(String.join("\n", CodeNames.document(document)));

        assertThat(names).hasSizeGreaterThan(10);
        assertThat(names.stream()
                        .filter(name -> !OTHERS.contains(name.group(1)) && !CodeNames.exists(name))
                        .map(MatchResult::group))
                .isEmpty();
    }
}
