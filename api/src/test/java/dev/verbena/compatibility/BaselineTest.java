// SPDX-License-Identifier: Apache-2.0
package dev.verbena.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code api/baseline/build} in a repository with one class of an API, of which there are two commits. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script needs a shell, as the profile of the build says")
class BaselineTest {
    private static final String SCRIPT = "api/baseline/build";
    private static final String FIND_JDK = "cli/src/launcher/find-jdk";
    private static final String SOURCE = "api/src/main/java/example/Api.java";

    @TempDir
    Path directory;

    private Path repository;

    @BeforeEach
    void copyTheScript() throws IOException {
        repository = directory.resolve("project");
        for (String file : List.of(SCRIPT, FIND_JDK)) {
            Path copy = repository.resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(Path.of("..").resolve(file), copy);
        }
    }

    @Test
    void buildsTheApiOfTheNamedCommitAndNotThePresentOne() throws Exception {
        String first = commit("package example; public interface Api { void old(); }");
        commit("package example; public interface Api { void young(); }");

        Result result = build(first);

        assertThat(result.output()).contains("Comparing the API with that of " + first);
        assertThat(result.exitCode()).isZero();
        try (JarFile jar = new JarFile(jar().toFile())) {
            byte[] api = jar.getInputStream(jar.getEntry("example/Api.class")).readAllBytes();
            assertThat(new String(api, StandardCharsets.ISO_8859_1))
                    .contains("old")
                    .doesNotContain("young");
        }
    }

    @Test
    void comparesWithNothingBeforeTheFirstRelease() throws Exception {
        commit("package example; public interface Api {}");

        assertNothingIsCompared(build("none"), "names no release yet");
    }

    @Test
    void comparesWithNothingWithoutHistory() throws Exception {
        assertNothingIsCompared(build("v1.0.0"), "no git history");
    }

    /** The history of another project around the sources is not this one's. */
    @Test
    void comparesWithNothingInsideAnotherRepository() throws Exception {
        run(directory, "git", "init", "-q");

        assertNothingIsCompared(build("v1.0.0"), "no git history");
    }

    @Test
    void comparesWithNothingInAShallowCloneWithoutTheCommit() throws Exception {
        String first = commit("package example; public interface Api { void old(); }");
        commit("package example; public interface Api { void young(); }");
        run(directory, "git", "clone", "-q", "--depth", "1", repository.toUri().toString(), "shallow");
        repository = directory.resolve("shallow");

        assertNothingIsCompared(build(first), "this clone is shallow");
    }

    @Test
    void failsIfACompleteHistoryLacksTheCommit() throws Exception {
        commit("package example; public interface Api {}");

        Result result = build("v7.0.0");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("names v7.0.0, which this repository does not have");
    }

    private void assertNothingIsCompared(Result result, String reason) throws IOException {
        assertThat(result.output()).contains("API not compared: ").contains(reason);
        assertThat(result.exitCode()).isZero();
        try (JarFile jar = new JarFile(jar().toFile())) {
            assertThat(jar.stream().filter(entry -> entry.getName().endsWith(".class")))
                    .isEmpty();
        }
    }

    private Path jar() {
        return repository.resolve("target").resolve("baseline.jar");
    }

    private Result build(String commit) throws Exception {
        Files.writeString(repository.resolve("api/baseline/commit"), "# A comment.\n" + commit + "\n");
        return run(repository, "sh", SCRIPT, jar().toString(), "unused.jar");
    }

    /** Commits everything with this source, and returns the name of the commit. */
    private String commit(String source) throws Exception {
        Path file = repository.resolve(SOURCE);
        Files.createDirectories(file.getParent());
        Files.writeString(file, source);
        mustRun("git", "init", "-q");
        mustRun("git", "add", "-A");
        mustRun("git", "-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "-q", "-m", "change");
        return mustRun("git", "rev-parse", "HEAD").output().strip();
    }

    private Result mustRun(String... command) throws Exception {
        Result result = run(repository, command);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result;
    }

    private record Result(int exitCode, String output) {}

    private static Result run(Path directory, String... command) throws Exception {
        assumeTrue(isInstalled("git"), "git is not installed");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Result(process.exitValue(), output);
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}
