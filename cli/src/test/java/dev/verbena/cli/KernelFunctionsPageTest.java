// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares {@code docs/kernel-functions.md} with the classes that it names. */
class KernelFunctionsPageTest {
    private static final Pattern FUNCTION = Pattern.compile("`\\w+`");

    private static List<Row> rows;

    @BeforeAll
    static void readRows() throws IOException {
        rows = rowsOf(CodeNames.document("kernel-functions.md"));
    }

    @Test
    void everyRowNamesOneFunction() {
        assertThat(rows).hasSizeGreaterThan(200);
        assertThat(rows.stream().map(Row::function))
                .allMatch(function -> FUNCTION.matcher(function).matches());
    }

    @Test
    void noSectionHasTwoRowsForOneFunction() {
        assertThat(rows.stream().map(row -> row.section() + ": " + row.function()))
                .doesNotHaveDuplicates();
    }

    @Test
    void everyRowNamesAClassOrSaysWhyThereIsNone() {
        assertThat(rows.stream().filter(row -> !row.isAnswered()).map(Row::function))
                .isEmpty();
    }

    @Test
    void everyClassAndMemberThatARowNamesExists() {
        List<String> missing = rows.stream()
                .flatMap(row -> CodeNames.in(row.answer() + row.remark()).stream())
                .filter(name -> !CodeNames.exists(name))
                .map(MatchResult::group)
                .toList();

        assertThat(missing).as("members of the page that no class has").isEmpty();
    }

    private record Row(String section, String function, String answer, String remark) {
        boolean isAnswered() {
            return answer.equals("absent")
                    ? !remark.isEmpty()
                    : !CodeNames.in(answer).isEmpty();
        }
    }

    private static List<Row> rowsOf(List<String> lines) {
        List<Row> found = new ArrayList<>();
        String section = "";
        for (String line : lines) {
            if (line.startsWith("#")) {
                section = line;
            } else if (line.startsWith("| `")) {
                String[] cells = line.split("\\|", -1);
                assertThat(cells).as(line).hasSize(5);
                found.add(new Row(section, cells[1].strip(), cells[2].strip(), cells[3].strip()));
            }
        }
        return found;
    }
}
