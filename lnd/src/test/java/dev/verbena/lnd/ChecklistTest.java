// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The table of features names tests that there are, and leaves out no row of this driver. */
class ChecklistTest {

    private static final Path TABLE = Path.of("..", "docs", "lnd-checklist.md");
    private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| [^|]+ \\| ([^|]+) \\|");
    private static final Pattern NAME = Pattern.compile("`([A-Za-z]+)#([A-Za-z]+)`");
    private static final List<String> PACKAGES = List.of(
            "dev.verbena.lnd.",
            "dev.verbena.lnd.engine.",
            "dev.verbena.lnd.memory.",
            "dev.verbena.lnd.wire.",
            "dev.verbena.lnet.",
            "dev.verbena.lnet.ping.",
            "dev.verbena.lnet.selftest.");
    private static final int LAST_OF_THE_DRIVER = 67;

    private static List<Matcher> rows() throws IOException {
        List<Matcher> rows = new ArrayList<>();
        for (String line : Files.readAllLines(TABLE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(row);
            }
        }
        return rows;
    }

    @Test
    void noRowOfTheDriverIsMissing() throws IOException {
        assertThat(rows().stream().map(row -> Integer.valueOf(row.group(1))))
                .containsAll(
                        IntStream.rangeClosed(1, LAST_OF_THE_DRIVER).boxed().toList())
                .doesNotHaveDuplicates();
    }

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        int named = 0;
        for (Matcher row : rows()) {
            Matcher name = NAME.matcher(row.group(2));
            while (name.find()) {
                named++;
                assertThat(methodsOf(name.group(1))).as("row %s", row.group(1)).contains(name.group(2));
            }
        }
        assertThat(named).isGreaterThan(LAST_OF_THE_DRIVER);
    }

    private static List<String> methodsOf(String test) {
        for (String prefix : PACKAGES) {
            try {
                return Arrays.stream(Class.forName(prefix + test).getDeclaredMethods())
                        .map(Method::getName)
                        .toList();
            } catch (ClassNotFoundException e) {
                // The class is in another package, or does not exist.
            }
        }
        return List.of();
    }
}
