package dev.verbena;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A record can get no further component without breaking programs, so types that grow are no records. */
class RecordSizeTest {
    private static final int MOST = 6;

    private static List<Class<?>> classes() throws IOException, URISyntaxException {
        URI here = dev.verbena.verbs.Device.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        Path root = Path.of(here);
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && name.startsWith("dev"))
                    .<Class<?>>map(name -> load(name.replace(".class", "").replace('/', '.')))
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, RecordSizeTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void noPublicRecordHasMoreThanSixComponents() throws IOException, URISyntaxException {
        List<Class<?>> records = classes().stream()
                .filter(Class::isRecord)
                .filter(type -> java.lang.reflect.Modifier.isPublic(type.getModifiers()))
                .toList();

        assertThat(records).hasSizeGreaterThan(20);
        assertThat(records)
                .allSatisfy(type -> assertThat(type.getRecordComponents()).hasSizeLessThanOrEqualTo(MOST));
    }
}
