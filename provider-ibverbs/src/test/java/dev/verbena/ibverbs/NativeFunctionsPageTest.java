// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares {@code docs/native-functions.md} with the functions of rdma-core, the API, and the binding. */
class NativeFunctionsPageTest {
    private static final String ABSENT = "Not in the API: ";
    private static final List<String> PACKAGES = List.of("dev.verbena.verbs.", "dev.verbena.cm.", "dev.verbena.spi.");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    /** A type of the API, and perhaps one of its methods. */
    private static final Pattern MEMBER = Pattern.compile("`([A-Z]\\w+)(?:\\.(\\w+))?`");

    private static final Pattern STRING_LITERAL = Pattern.compile("\"(\\w+)\"");

    @Test
    void everyFunctionHasOneRow() throws IOException {
        List<String> described =
                rows().stream().flatMap(row -> row.functions().stream()).toList();

        assertThat(described).doesNotHaveDuplicates();
        assertThat(described).containsExactlyInAnyOrderElementsOf(functions());
    }

    @Test
    void everyRowNamesAMemberOfTheApiOrAReasonForNone() throws IOException {
        assertThat(rows().stream()
                        .filter(row -> !row.isAbsent() && row.members().isEmpty()))
                .isEmpty();
    }

    @Test
    void everyMemberThatARowNamesExists() throws IOException {
        List<String> named = rows().stream()
                .flatMap(row -> row.members().stream())
                .filter(member -> !exists(member.group(1), member.group(2)))
                .map(MatchResult::group)
                .toList();

        assertThat(named).as("members of the page that the API does not have").isEmpty();
    }

    @Test
    void noFunctionThatTheProviderBindsIsCalledAbsent() throws IOException {
        List<String> bound = stringLiteralsOfTheProvider();
        List<String> calledAbsent = rows().stream()
                .filter(Row::isAbsent)
                .flatMap(row -> row.functions().stream())
                .toList();

        assertThat(bound).contains("ibv_open_device", "rdma_create_id");
        assertThat(calledAbsent.stream().filter(bound::contains)).isEmpty();
    }

    private record Row(List<String> functions, String answer) {
        boolean isAbsent() {
            return answer.startsWith(ABSENT);
        }

        List<MatchResult> members() {
            return MEMBER.matcher(answer).results().toList();
        }
    }

    private static List<Row> rows() throws IOException {
        return Files.readAllLines(RepositoryFiles.find(Path.of("docs", "native-functions.md"))).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|"))
                .map(cells -> new Row(
                        QUOTED.matcher(cells[1])
                                .results()
                                .map(match -> match.group(1))
                                .toList(),
                        cells[2].strip()))
                .toList();
    }

    private static List<String> functions() throws IOException {
        try (InputStream list = Objects.requireNonNull(
                NativeFunctionsPageTest.class.getResourceAsStream("rdma-core-64-functions.txt"))) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    private static boolean exists(String type, String method) {
        return PACKAGES.stream()
                .map(name -> load(name + type))
                .filter(Objects::nonNull)
                .anyMatch(found -> method == null
                        || Arrays.stream(found.getMethods())
                                .map(Method::getName)
                                .anyMatch(method::equals)
                        || Arrays.stream(found.getFields())
                                .map(field -> field.getName())
                                .anyMatch(method::equals));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException absent) {
            return null;
        }
    }

    private static List<String> stringLiteralsOfTheProvider() throws IOException {
        Path sources = RepositoryFiles.find(Path.of("provider-ibverbs", "src", "main", "java"));
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(NativeFunctionsPageTest::stringLiterals)
                    .distinct()
                    .toList();
        }
    }

    private static Stream<String> stringLiterals(Path source) {
        try {
            return STRING_LITERAL.matcher(Files.readString(source)).results().map(match -> match.group(1));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
