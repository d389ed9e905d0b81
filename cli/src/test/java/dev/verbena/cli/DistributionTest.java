// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The archive that {@code .ci/distribution} packs. The jar is a stand-in whose class path is that of the test. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the script needs GNU tar")
class DistributionTest {
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

    @TempDir
    private Path temp;

    private String run(String... command) throws Exception {
        Path out = temp.resolve("out");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(out);
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    private Path built() throws IOException {
        Path built = Files.createDirectories(temp.resolve("built"));
        Files.createDirectories(built.resolve("lib"));
        Files.writeString(built.resolve("lib/library.jar"), "");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Verbena.class.getName());
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath());
        new JarOutputStream(Files.newOutputStream(built.resolve("verbena.jar")), manifest).close();
        return built;
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(System.getProperty("path.separator"), -1))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" "));
    }

    private String pack(Path built, Path archive) throws Exception {
        return run(REPOSITORY.resolve(".ci/distribution").toString(), built.toString(), archive.toString());
    }

    @Test
    void theUnpackedArchiveRunsAndHasAManPageOfEachCommandAndTheCompletion() throws Exception {
        Path built = built();
        Path archive = temp.resolve("one.tar.gz");
        assertThat(pack(built, archive)).isEqualTo(archive + "\n");
        Path again = temp.resolve("two.tar.gz");
        pack(built, again);
        assertThat(again).hasSameBinaryContentAs(archive);

        Path directory = Files.createDirectories(temp.resolve("a place with spaces"));
        run("tar", "-xzf", archive.toString(), "-C", directory.toString());
        Path root = directory.resolve("verbena-cli");
        assertThat(run(root.resolve("bin/verbena").toString(), "--version")).startsWith("verbena ");
        assertThat(root.resolve("lib/lib/library.jar")).exists();
        assertThat(root.resolve("share/bash-completion/completions/verbena"))
                .content()
                .contains("rc-pingpong", "complete -F");
        assertThat(HelpTest.commands())
                .allSatisfy(name -> assertThat(page(root, name))
                        .contains(
                                ".SH NAME\n" + name.replace(' ', '-').replace("-", "\\-"),
                                ".SH SYNOPSIS",
                                ".SH OPTIONS",
                                ".SH EXAMPLE"));
        assertThat(page(root, "verbena rping"))
                .contains(
                        ".TP\n\\-a=ADDRESS\n",
                        ".SS Connection:\n.TP\n\\-\\-local=ADDRESS[:PORT]\nThe address of the device in software");
    }

    private static String page(Path root, String command) {
        try {
            return Files.readString(root.resolve("share/man/man1").resolve(command.replace(' ', '-') + ".1"));
        } catch (IOException absent) {
            throw new UncheckedIOException(absent);
        }
    }
}
