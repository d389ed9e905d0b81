// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names of classes and of their members in the documents, and the classes of the sources. */
final class CodeNames {
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();
    /** A class, perhaps a nested one, and perhaps one of its methods or constants. */
    private static final Pattern NAME =
            Pattern.compile("`([A-Z]\\w*[a-z]\\w*(?:\\.[A-Z][a-z]\\w*)*)(?:\\.([a-z]\\w*|[A-Z_]+))?`");

    /** The full names of the classes with each simple name, by the source files of all modules. */
    private static final Map<String, List<String>> CLASSES =
            classNames().collect(Collectors.groupingBy(name -> name.substring(name.lastIndexOf('.') + 1)));

    private CodeNames() {}

    static List<String> document(String name) throws IOException {
        return Files.readAllLines(REPOSITORY.resolve("docs").resolve(name));
    }

    /** Each name in backquotes: group 1 is the class, group 2 the member or null. */
    static List<MatchResult> in(String text) {
        return NAME.matcher(text).results().toList();
    }

    /** Whether the sources have the class, with the member if the name has one. */
    static boolean exists(MatchResult name) {
        String type = name.group(1);
        String member = name.group(2);
        String outer = type.split("\\.", 2)[0];
        String nested = type.substring(outer.length()).replace('.', '$');
        List<String> candidates = CLASSES.getOrDefault(outer, List.of());
        return member == null && nested.isEmpty()
                ? !candidates.isEmpty()
                : candidates.stream()
                        .flatMap(candidate -> load(candidate + nested))
                        .anyMatch(found -> member == null || membersOf(found).anyMatch(member::equals));
    }

    private static Stream<String> classNames() {
        try (Stream<Path> modules = Files.list(REPOSITORY)) {
            return modules
                    .flatMap(module ->
                            Stream.of("main", "test").map(kind -> module.resolve(Path.of("src", kind, "java"))))
                    .filter(Files::isDirectory)
                    .flatMap(CodeNames::classNames)
                    .toList()
                    .stream();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static Stream<String> classNames(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files
                    .map(file -> sources.relativize(file).toString())
                    .filter(file -> file.endsWith(".java") && !file.endsWith("-info.java"))
                    .map(file -> file.replace('/', '.').substring(0, file.length() - ".java".length()))
                    .toList()
                    .stream();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
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
            return Stream.of(Class.forName(name, false, CodeNames.class.getClassLoader()));
        } catch (ClassNotFoundException absent) {
            return Stream.empty();
        }
    }
}
