// SPDX-License-Identifier: Apache-2.0
package dev.verbena.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Hint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of docs/guide agree with the programs of this package, with the catalogue of hints, and with the files that they link to. */
class GuideTest {
    private static final Path GUIDE = Path.of("../docs/guide");
    private static final Path PROGRAMS = Path.of("src/test/java/dev/verbena/guide");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");
    private static final Pattern BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    static List<Path> pages() throws IOException {
        try (Stream<Path> pages = Files.list(GUIDE)) {
            return pages.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkNamesAFile(Path page) throws IOException {
        assertThat(LINK.matcher(Files.readString(page)).results().map(link -> GUIDE.resolve(link.group(1))))
                .allSatisfy(target -> assertThat(target).exists());
    }

    @Test
    void thePageOfSymptomsHasEachHintWithItsCure() throws IOException {
        String page = Files.readString(GUIDE.resolve("troubleshooting.md"));
        assertThat(page.substring(page.indexOf("## By hint")).lines().filter(line -> line.contains("| `")))
                .map(line -> line.substring(line.indexOf("| `")))
                .containsExactlyElementsOf(Arrays.stream(Hint.values())
                        .map(hint -> "| `" + hint + "` | " + hint.cure() + " |")
                        .toList());
    }

    /** Indentation does not count. */
    @ParameterizedTest
    @MethodSource("pages")
    void everyBlockOfAPageIsPartOfAProgramThatRuns(Path page) throws IOException {
        List<String> programs;
        try (Stream<Path> files = Files.list(PROGRAMS)) {
            programs = files.map(GuideTest::read).map(GuideTest::lines).toList();
        }

        List<String> blocks = BLOCK.matcher(Files.readString(page))
                .results()
                .map(block -> lines(block.group(1)))
                .toList();

        assertThat(blocks).allSatisfy(block -> assertThat(programs).anyMatch(program -> program.contains(block)));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines without indentation, each between line ends. */
    private static String lines(String text) {
        return text.strip().lines().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
    }
}
