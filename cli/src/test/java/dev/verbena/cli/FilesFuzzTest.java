// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.Divergences;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with random content are read, or refused by an {@link IllegalArgumentException} with the name of the file. */
class FilesFuzzTest {
    private static final String OPTIONS = """
            # a site
            alias ko2iblnd-opa ko2iblnd
            options ko2iblnd peer_credits=0x20 credits=1024 \\
               conns_per_peer=4 tos=-1
            options ko2iblnd timeout="50" ib_mtu=4096
            """;
    private static final String CLUSTER = """
            nodes: 20
            peers: 6
            time: 10m
            puts: 25%
            sizes: [0, 4K, 1M]
            rate: 25Gbps
            memory: 32M
            outage: 1s..90s
            """;
    private static final String SETTINGS = "nid: 10.0.0.1@o2ib\npeer_credits: 0x10\ntimeout: 50\nservice: 987\n";

    @TempDir
    private Path directory;

    @FunctionalInterface
    private interface Reading {
        void read(Path file) throws Exception;
    }

    private void fuzz(String name, Reading reading, String valid) throws Exception {
        Path file = directory.resolve("file");
        List<byte[]> texts = List.of(valid.getBytes(StandardCharsets.UTF_8));
        try (Fuzz fuzz = new Fuzz(name)) {
            fuzz.run(
                    () -> {
                        byte[] content = fuzz.random().nextInt(4) == 0
                                ? fuzz.bytes(fuzz.random().nextInt(300))
                                : fuzz.mutated(texts);
                        Files.write(file, content);
                        try {
                            reading.read(file);
                        } catch (IllegalArgumentException refused) {
                            assertThat(refused).hasMessageContaining("file");
                        }
                    },
                    () -> {
                        Files.writeString(file, valid);
                        reading.read(file);
                    });
        }
    }

    @Test
    void optionsOfTheKernelModule() throws Exception {
        fuzz("options files", file -> ModprobeOptions.read(file, "ko2iblnd").forEach(new LnetConfig()::set), OPTIONS);
    }

    @Test
    void settingsOfANode() throws Exception {
        fuzz(
                "settings of a node",
                file -> {
                    LnetConfig config = new LnetConfig();
                    YamlSettings.read(file).forEach(config::set);
                    assertThat(config.tunables()).isNotNull();
                },
                SETTINGS);
    }

    @Test
    void descriptionsOfClusters() throws Exception {
        fuzz("descriptions of clusters", ClusterFile::read, CLUSTER);
    }

    @Test
    void divergences() throws Exception {
        String valid;
        try (InputStream in = FilesFuzzTest.class.getResourceAsStream("conformance/soft-roce.divergences")) {
            valid = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        fuzz("divergences", Divergences::read, valid);
    }
}
