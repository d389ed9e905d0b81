// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.rules.RuleCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page that leads from the tests of pyverbs to the rules. */
class PyverbsPageTest {
    private static final Pattern ID = Pattern.compile("\\b[A-Z]+-\\d+\\b");
    private static final List<String> FILES = List.of(
            "test_addr",
            "test_atomic",
            "test_buf",
            "test_cq",
            "test_cq_events",
            "test_cqex",
            "test_cuda_dmabuf",
            "test_device",
            "test_dmah",
            "test_efa_srd",
            "test_efadv",
            "test_flow",
            "test_fork",
            "test_mr",
            "test_odp",
            "test_parent_domain",
            "test_pd",
            "test_phc_timestamp",
            "test_qp",
            "test_qpex",
            "test_rdmacm",
            "test_relaxed_ordering",
            "test_rss_traffic",
            "test_tag_matching",
            "test_shared_pd",
            "test_srq",
            "test_mlx5_*");

    private List<String> rows;

    @BeforeEach
    void read() throws IOException {
        Path page = Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../docs/pyverbs.md");
        rows = Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| ---") && !line.startsWith("| File"))
                .toList();
    }

    @Test
    void everyRuleThatItNamesExists() {
        Set<String> rules = RuleCatalogue.of(VerbsConformance.class).stream()
                .map(RuleCatalogue.Entry::id)
                .collect(Collectors.toSet());
        Set<String> named = new TreeSet<>();
        for (String row : rows) {
            Matcher id = ID.matcher(row);
            while (id.find()) {
                named.add(id.group());
            }
        }
        assertThat(named).isNotEmpty().isSubsetOf(rules);
    }

    @Test
    void everyFileOfThoseTestsHasItsRow() {
        Set<String> named = new TreeSet<>();
        rows.forEach(row -> named.addAll(List.of(row.split("\\|", -1)[1].strip().split(", ", -1))));
        named.remove("");
        assertThat(named).containsExactlyInAnyOrderElementsOf(FILES);
    }

    @Test
    void everyRowHasItsSubjectAndItsOutcome() {
        assertThat(rows).allSatisfy(row -> {
            String[] cells = row.split("\\|", -1);
            assertThat(cells).hasSize(5);
            assertThat(cells[2]).isNotBlank();
            assertThat(cells[3]).isNotBlank();
        });
    }
}
