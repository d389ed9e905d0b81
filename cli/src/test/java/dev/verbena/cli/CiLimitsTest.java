// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The limits of {@code .ci/run} and the table of docs/tests.md. */
class CiLimitsTest {
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();
    private static final Duration ALL = Duration.ofMinutes(90);

    /** The numbers in a file that a group of a pattern matches. */
    private static List<Long> numbers(String file, String pattern, int group) throws IOException {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(Files.readString(REPOSITORY.resolve(file)))
                .results()
                .map(match -> Long.valueOf(match.group(group)))
                .toList();
    }

    /** The limits of the parts before the lab, in seconds. */
    private static List<Long> limits() throws IOException {
        return numbers(".ci/run", "^(?!total_)[a-z]+_limit=([0-9]+)$", 1);
    }

    @Test
    void allPartsEndInTheTimeForAllOfThemEvenIfEachNeedsItsLimit() throws IOException {
        long toKill = numbers(".ci/run", "--kill-after=([0-9]+)", 1).getFirst();
        assertThat(limits()).hasSizeGreaterThan(1);
        long sum = limits().stream().mapToLong(limit -> limit + toKill).sum();
        long total = numbers(".ci/run", "^total_limit=([0-9]+)$", 1).getFirst();
        assertThat(sum).isLessThan(total);
        assertThat(Duration.ofSeconds(total + toKill)).isLessThan(ALL);
    }

    @Test
    void theTableHasTheLimitsOfTheParts() throws IOException {
        String row = "^\\| [a-z -]+ \\| ([0-9]+) \\| ([0-9]+) \\|";
        assertThat(numbers("docs/tests.md", row, 2))
                .isEqualTo(limits().stream().map(limit -> limit / 60).toList());
        List<Long> needed = numbers("docs/tests.md", row, 1);
        for (int i = 0; i < needed.size(); i++) {
            assertThat(needed.get(i) * 60).isLessThanOrEqualTo(limits().get(i));
        }
    }
}
