// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs copies of the launcher against JDKs and a Maven that are shell scripts, with a PATH that contains only the tools of
 * the shell.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a shell script; Windows uses java -jar")
class LauncherTest {
    private static final List<String> TOOLS =
            List.of("sh", "dirname", "env", "find", "flock", "grep", "head", "mkdir", "mv", "readlink", "sed", "touch");
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

    @TempDir
    private Path temp;

    private Path root;
    private Path bin;
    private Path jdks;

    private record Outcome(int exit, String out, String err) {}

    @BeforeEach
    void copyTheLauncherToAPathWithSpaces() throws IOException {
        root = Files.createDirectories(temp.resolve("a clone with spaces"));
        for (var file : List.of("verbena", "cli/src/launcher/find-jdk", "cli/src/launcher/how-to-install")) {
            Files.createDirectories(root.resolve(file).getParent());
            Files.copy(REPOSITORY.resolve(file), root.resolve(file));
        }
        for (var module :
                List.of("api", "wire", "provider-sim", "provider-ibverbs", "lnd", "conformance-tests", "cli")) {
            write(root.resolve(module).resolve("pom.xml"), "");
            Files.createDirectories(root.resolve(module).resolve("src/main/java"));
        }
        write(root.resolve("pom.xml"), "");
        bin = Files.createDirectories(temp.resolve("bin"));
        jdks = Files.createDirectories(temp.resolve("jdks"));
        for (var tool : TOOLS) {
            for (var directory : System.getenv("PATH").split(":", -1)) {
                var found = Path.of(directory).resolve(tool);
                if (Files.isExecutable(found) && !Files.exists(bin.resolve(tool))) {
                    script(bin.resolve(tool), "exec '" + found + "' \"$@\"");
                }
            }
        }
    }

    @Test
    void namesTheJdkToInstallWhenThereIsNone() throws Exception {
        var outcome = launch(Map.of(), "demo");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .contains("JDK 25 or newer", "Temurin 25", "JAVA_HOME (not set)", "PATH (none)", jdks.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "apt-get, sudo apt-get install openjdk-25-jdk, sudo apt-get install maven",
        "dnf, sudo dnf install java-25-openjdk-devel, sudo dnf install maven",
        "brew, brew install openjdk@25, brew install maven"
    })
    void saysHowToInstallWhatIsMissingOnThisSystem(String manager, String forJdk, String forMaven) throws Exception {
        script(bin.resolve(manager), "exit 99");
        assertThat(launch(Map.of(), "demo").err()).contains(forJdk);
        jdk("jdk", "25", "exit 99");
        assertThat(launch(Map.of(), "demo").err()).contains(forMaven);
    }

    @Test
    void saysWhichOlderJdksItSaw() throws Exception {
        var old = jdk("old", "17.0.15", "exit 99");
        Files.createSymbolicLink(
                bin.resolve("java"), jdk("older", "1.8.0_402", "exit 99").resolve("bin/java"));
        var outcome = launch(Map.of("JAVA_HOME", old.toString()), "demo");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).contains("JAVA_HOME is a JDK 17", "PATH is a JDK 1.");
    }

    @Test
    void passesOverARuntimeWithoutCompiler() throws Exception {
        var runtime = jdk("runtime", "25", "exit 99");
        Files.delete(runtime.resolve("bin/javac"));
        assertThat(launch(Map.of("JAVA_HOME", runtime.toString()), "demo").exit())
                .isEqualTo(2);
    }

    @Test
    void saysThatMavenIsMissingWhenItHasToBuild() throws Exception {
        jdk("jdk 25", "25.0.3", "exit 99");
        var outcome = launch(Map.of(), "demo");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).contains("Maven", "not in PATH");
    }

    @Test
    void findsAJdkInJavaHomeThenInPathThenInTheUsualPlaces() throws Exception {
        maven("");
        jdk("place", "27-ea", "echo place");
        assertThat(launch(Map.of()).out()).isEqualTo("place\n");
        Files.createSymbolicLink(
                bin.resolve("java"), jdk("in path", "25.0.3", "echo path").resolve("bin/java"));
        assertThat(launch(Map.of()).out()).isEqualTo("path\n");
        var home = jdk("home", "26", "echo home");
        assertThat(launch(Map.of("JAVA_HOME", home.toString())).out()).isEqualTo("home\n");
    }

    @Test
    void findsAJdkWhereMavenFindsIt() throws Exception {
        maven("");
        var home = temp.resolve("user");
        jdk("place", "25", "echo place");
        var inToolchains = jdk("../other/toolchain", "25.0.1", "echo toolchain");
        write(
                home.resolve(".m2/toolchains.xml"),
                "<configuration><jdkHome>" + inToolchains + "</jdkHome></configuration>");
        assertThat(launch(Map.of("HOME", home.toString())).out()).isEqualTo("toolchain\n");
        var variable = jdk("../other/variable", "25.0.1", "echo variable").toString();
        assertThat(launch(Map.of("HOME", home.toString(), "JAVA25_HOME", variable))
                        .out())
                .isEqualTo("variable\n");
        Files.delete(home.resolve(".m2/toolchains.xml"));
        jdk("../user/.gradle/jdks/temurin", "25.0.1", "echo gradle");
        assertThat(launch(Map.of("HOME", home.toString())).out()).isEqualTo("gradle\n");
    }

    @Test
    void namesAJdkThatMavenDoesNotFind() throws Exception {
        var forMaven = List.of("sh", root.resolve("cli/src/launcher/find-jdk").toString(), "--maven");
        var elsewhere = jdk("../user/.local/share/mise/installs/java/25", "25.0.1", "exit 99")
                .normalize();
        var home = Map.of("HOME", temp.resolve("user").toString());
        var outcome = run(forMaven, home);
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).contains(elsewhere + " is a JDK 25, but Maven does not search there");
        jdk("../user/.m2/jdks/25", "25.0.1", "exit 99");
        assertThat(run(forMaven, home).exit()).isZero();
    }

    @Test
    void asksAJavaInPathThatIsAScriptForItsHome() throws Exception {
        maven("");
        var real = jdk("real", "25.0.3", "echo real");
        script(bin.resolve("java"), "echo '    java.home = " + real + "' >&2");
        jdks = temp.resolve("nowhere");
        assertThat(launch(Map.of()).out()).isEqualTo("real\n");
    }

    @Test
    void handsArgumentsInputAndExitCodeOver() throws Exception {
        maven("");
        jdk(
                "jdk",
                "25.0.3",
                "for a in \"$@\"; do echo \"[$a]\"; done; while read -r l; do echo \"<$l>\"; done; exit 7");
        var outcome = launch(Map.of("VERBENA_JAVA_OPTS", "-Xmx1g -Da=b"), "demo", "two words", "*");
        assertThat(outcome.exit()).isEqualTo(7);
        assertThat(outcome.out().lines())
                .containsExactly(
                        "[--enable-native-access=ALL-UNNAMED]",
                        "[-Xmx1g]",
                        "[-Da=b]",
                        "[-jar]",
                        "[" + root.toRealPath().resolve("cli/target/quick/verbena.jar") + "]",
                        "[demo]",
                        "[two words]",
                        "[*]",
                        "<typed>");
    }

    @Test
    void buildsOnceAndAgainOnlyAfterAChange() throws Exception {
        maven("");
        jdk("jdk", "25.0.3", "echo ran");
        assertThat(launch(Map.of()).err()).contains("building");
        assertThat(launch(Map.of()).err()).isEmpty();
        var source = root.resolve("wire/src/main/java/New.java");
        write(source, "");
        var soon = FileTime.from(Instant.now().plusSeconds(60));
        Files.setLastModifiedTime(source, soon);
        assertThat(launch(Map.of()).err()).contains("building");
        assertThat(temp.resolve("maven.log")).content().hasLineCount(2).contains("-pl cli -am -Dquick package");
    }

    @Test
    void showsTheErrorsOfAFailedBuildAndDoesNotRun() throws Exception {
        maven("echo '[INFO] chatter'; echo '[ERROR] broken here'; exit 1");
        jdk("jdk", "25.0.3", "echo ran");
        for (int attempt = 0; attempt < 2; attempt++) {
            var outcome = launch(Map.of());
            assertThat(outcome.exit()).isEqualTo(2);
            assertThat(outcome.out()).isEmpty();
            assertThat(outcome.err())
                    .contains("[ERROR] broken here", "build failed")
                    .doesNotContain("chatter");
        }
    }

    /** Calls the launcher through a chain of links, from another directory. */
    private Outcome launch(Map<String, String> environment, String... arguments) throws Exception {
        var links = Files.createDirectories(temp.resolve("links"));
        Files.deleteIfExists(links.resolve("one"));
        Files.deleteIfExists(links.resolve("verbena"));
        Files.createSymbolicLink(links.resolve("one"), Path.of("../a clone with spaces/verbena"));
        Files.createSymbolicLink(links.resolve("verbena"), links.resolve("one"));
        var command = new ArrayList<>(List.of(links.resolve("verbena").toString()));
        command.addAll(List.of(arguments));
        return run(command, environment);
    }

    private Outcome run(List<String> command, Map<String, String> environment) throws Exception {
        var builder = new ProcessBuilder(command).directory(jdks.getParent().toFile());
        builder.environment().clear();
        builder.environment().put("PATH", bin.toString());
        builder.environment().put("VERBENA_JDKS", jdks.toString());
        builder.environment().putAll(environment);
        var out = temp.resolve("out");
        var err = temp.resolve("err");
        var in = temp.resolve("in");
        write(in, "typed\n");
        builder.redirectInput(in.toFile()).redirectOutput(out.toFile()).redirectError(err.toFile());
        var process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("the launcher ends within a minute")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private Path jdk(String name, String version, String java) throws IOException {
        var home = jdks.resolve(name);
        write(home.resolve("release"), "IMPLEMENTOR=\"nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
        script(home.resolve("bin/java"), java);
        script(home.resolve("bin/javac"), "exit 99");
        return home;
    }

    /** A Maven that records its arguments and creates the jar, after the given commands. */
    private void maven(String commands) throws IOException {
        script(
                bin.resolve("mvn"),
                "echo \"$*\" >> '" + temp.resolve("maven.log") + "'\n" + commands + "\n"
                        + "mkdir -p cli/target/quick && touch cli/target/quick/verbena.jar");
    }

    private static void script(Path file, String commands) throws IOException {
        write(file, "#!/bin/sh\n" + commands + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
