package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares {@code docs/kernel-functions.md} with the classes that it names. */
class KernelFunctionsPageTest {
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();
    private static final List<String> MODULES = List.of("api", "wire", "provider-sim", "lnd");
    private static final Pattern FUNCTION = Pattern.compile("`\\w+`");
    /** A class, perhaps a nested one, and perhaps one of its methods or constants. */
    private static final Pattern MEMBER =
            Pattern.compile("`([A-Z]\\w*[a-z]\\w*(?:\\.[A-Z][a-z]\\w*)*)(?:\\.([a-z]\\w*|[A-Z_]+))?`");

    /** The full names of the classes with each simple name. */
    private static Map<String, List<String>> classes;

    private static List<Row> rows;

    @BeforeAll
    static void readRows() throws IOException {
        classes = classNames().collect(Collectors.groupingBy(name -> name.substring(name.lastIndexOf('.') + 1)));
        rows = rowsOf(Files.readAllLines(REPOSITORY.resolve("docs").resolve("kernel-functions.md")));
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
                .flatMap(row -> membersIn(row.answer() + row.remark()).stream())
                .filter(member -> !exists(member.group(1), member.group(2)))
                .map(MatchResult::group)
                .toList();

        assertThat(missing).as("members of the page that no class has").isEmpty();
    }

    private record Row(String section, String function, String answer, String remark) {
        boolean isAnswered() {
            return answer.equals("absent")
                    ? !remark.isEmpty()
                    : !membersIn(answer).isEmpty();
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

    private static List<MatchResult> membersIn(String cell) {
        return MEMBER.matcher(cell).results().toList();
    }

    private static Stream<String> classNames() throws IOException {
        List<String> names = new ArrayList<>();
        for (String module : MODULES) {
            Path sources = REPOSITORY.resolve(module).resolve(Path.of("src", "main", "java"));
            try (Stream<Path> files = Files.walk(sources)) {
                files.map(file -> sources.relativize(file).toString())
                        .filter(file -> file.endsWith(".java") && !file.endsWith("-info.java"))
                        .map(file -> file.replace('/', '.').substring(0, file.length() - ".java".length()))
                        .forEach(names::add);
            }
        }
        return names.stream();
    }

    private static boolean exists(String type, String member) {
        String outer = type.split("\\.", 2)[0];
        String nested = type.substring(outer.length()).replace('.', '$');
        return classes.getOrDefault(outer, List.of()).stream()
                .flatMap(name -> load(name + nested))
                .anyMatch(found -> member == null || membersOf(found).anyMatch(member::equals));
    }

    private static Stream<String> membersOf(Class<?> type) {
        return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass)
                .flatMap(each -> Stream.of(
                        names(each.getDeclaredMethods(), Method::getName),
                        names(each.getDeclaredFields(), Field::getName)))
                .flatMap(Function.identity());
    }

    private static <T> Stream<String> names(T[] members, Function<T, String> name) {
        return Arrays.stream(members).map(name);
    }

    private static Stream<Class<?>> load(String name) {
        try {
            return Stream.of(Class.forName(name, false, KernelFunctionsPageTest.class.getClassLoader()));
        } catch (ClassNotFoundException absent) {
            return Stream.empty();
        }
    }
}
