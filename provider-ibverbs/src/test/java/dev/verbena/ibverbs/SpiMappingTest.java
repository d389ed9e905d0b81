// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.CmCapability;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.VerbsProvider;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/spi-mapping.md} true: one row a method of the SPI, no row without its method. */
class SpiMappingTest {
    private static final Path PAGE = Path.of("docs", "spi-mapping.md");
    private static final List<String> PACKAGES =
            List.of("dev.verbena.verbs", "dev.verbena.verbs.kernel", "dev.verbena.cm");
    private static final Pattern LACKED = Pattern.compile("lacks? the capability (\\w+)");
    private static final int COLUMNS = 4;

    @Test
    void everyMethodHasOneRowAndEveryRowAMethod() throws Exception {
        List<String> described = rows().stream().map(List::getFirst).toList();
        List<String> methods = methodsOfTheSpi();

        assertThat(methods).isNotEmpty();
        assertThat(without(methods, described)).as("methods without a row").isEmpty();
        assertThat(without(described, methods)).as("rows without a method").isEmpty();
        assertThat(described).doesNotHaveDuplicates();
    }

    @Test
    void everyRowHasAnEntryForEachImplementer() throws Exception {
        assertThat(rows().stream()
                        .filter(row -> row.size() != COLUMNS || row.stream().anyMatch(String::isBlank)))
                .isEmpty();
    }

    @Test
    void everyCapabilityThatARowNamesExists() throws Exception {
        List<String> named = LACKED.matcher(
                        Files.readString(RepositoryFiles.find(PAGE)).replace('\n', ' '))
                .results()
                .map(match -> match.group(1))
                .filter(name -> !name.equals("X")) // The legend's.
                .toList();

        assertThat(named).isNotEmpty();
        assertThat(Stream.of(Capability.values(), CmCapability.values())
                        .flatMap(Stream::of)
                        .map(Enum::name))
                .containsAll(named);
    }

    private static List<String> without(List<String> all, List<String> others) {
        List<String> rest = new ArrayList<>(all);
        rest.removeAll(others);
        return rest;
    }

    /** The cells of each row that begins with a method. */
    private static List<List<String>> rows() throws IOException {
        return Files.readAllLines(RepositoryFiles.find(PAGE)).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|", -1))
                        .map(String::strip)
                        .toList())
                .map(cells -> cells.subList(0, cells.size() - 1)) // The cell after the last bar is empty.
                .map(SpiMappingTest::withoutQuotes)
                .toList();
    }

    private static List<String> withoutQuotes(List<String> cells) {
        List<String> plain = new ArrayList<>(cells);
        plain.set(0, cells.getFirst().replace("`", ""));
        return plain;
    }

    private static List<String> methodsOfTheSpi() throws Exception {
        List<String> methods = new ArrayList<>();
        for (Class<?> type : typesOfTheSpi()) {
            if (type.isInterface() && Modifier.isPublic(type.getModifiers())) {
                Stream.of(type.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                        .map(method -> name(type) + "." + signature(method))
                        .forEach(methods::add);
            }
        }
        return methods;
    }

    private static String name(Class<?> type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }

    private static String signature(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        if (method.isVarArgs()) {
            parameters = parameters.substring(0, parameters.length() - "[]".length()) + "...";
        }
        return method.getName() + "(" + parameters + ")";
    }

    /** Every class of the packages, from the directory or the archive that the SPI was loaded from. */
    private static List<Class<?>> typesOfTheSpi() throws IOException, URISyntaxException, ClassNotFoundException {
        Path place = Path.of(VerbsProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        if (Files.isDirectory(place)) {
            return types(place);
        }
        try (FileSystem archive = FileSystems.newFileSystem(place)) {
            return types(archive.getPath("/"));
        }
    }

    private static List<Class<?>> types(Path root) throws IOException, ClassNotFoundException {
        List<Class<?>> types = new ArrayList<>();
        for (String name : PACKAGES) {
            try (Stream<Path> files = Files.list(root.resolve(name.replace('.', '/')))) {
                for (Path file : files.sorted().toList()) {
                    String simple = file.getFileName().toString();
                    if (simple.endsWith(".class")) {
                        types.add(Class.forName(name + "." + simple.substring(0, simple.length() - ".class".length())));
                    }
                }
            }
        }
        return types;
    }
}
