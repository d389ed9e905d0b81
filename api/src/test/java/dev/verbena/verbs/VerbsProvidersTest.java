// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerbsProvidersTest {
    @TempDir
    private Path directory;

    @Test
    void thereIsNoneWithoutAnyOnThePath() throws Exception {
        assertThat(VerbsProviders.installed()).isEmpty();
        assertThatThrownBy(() -> VerbsProviders.named("sim"))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT))
                .hasMessageContainingAll("'sim'", "installed are: none", "class path");
    }

    @Test
    void leavesOutThoseThatCannotBeLoadedOrConstructed() throws Exception {
        List<String> names = withProviders(
                () -> VerbsProviders.installed().stream()
                        .map(VerbsProvider::name)
                        .toList(),
                "no.such.Provider",
                Broken.class.getName(),
                "java.lang.String",
                Working.class.getName());
        assertThat(names).containsExactly("working");
    }

    @Test
    void findsOneByNameAndOtherwiseNamesThoseThereAre() throws Exception {
        String working = Working.class.getName();
        assertThat(withProviders(() -> VerbsProviders.named("working"), working))
                .isInstanceOf(Working.class);
        assertThatThrownBy(() -> withProviders(() -> VerbsProviders.named("other"), working))
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll("'other'", "installed are: working");
    }

    /** Calls with some classes in the configuration of the service, and without the warnings about them. */
    private <T> T withProviders(Callable<T> call, String... classes) throws Exception {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.write(services.resolve(VerbsProvider.class.getName()), List.of(classes));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        Logger log = Logger.getLogger(VerbsProviders.class.getName());
        Level level = log.getLevel();
        try (var loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
            log.setLevel(Level.OFF);
            thread.setContextClassLoader(loader);
            return call.call();
        } finally {
            thread.setContextClassLoader(before);
            log.setLevel(level);
        }
    }

    /** A provider whose constructor fails. */
    public static final class Broken extends NoDevices {
        /** Fails. */
        public Broken() throws IOException {
            throw new IOException("cannot be constructed");
        }

        @Override
        public String name() {
            return "broken";
        }
    }

    /** A provider that can be constructed. */
    public static final class Working extends NoDevices {
        @Override
        public String name() {
            return "working";
        }
    }

    private abstract static class NoDevices implements VerbsProvider {
        @Override
        public Availability availability() {
            return new Availability.Unavailable("a test", "none");
        }

        @Override
        public List<DeviceInfo> devices() {
            return List.of();
        }

        @Override
        public Device open(String deviceName) throws VerbsException {
            throw new VerbsException(Errno.ENODEV, "ibv_open_device", "a test has no devices");
        }

        @Override
        public <T extends ProviderExtension> Optional<T> extension(Class<T> type) {
            return Optional.empty();
        }

        @Override
        public VerbsRuntime runtime() {
            throw new IllegalStateException("a test has no devices");
        }
    }
}
