// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The test in the README is {@link EchoTest}, which the build runs. */
class ReadmeTest {
    @Test
    void theTestOfTheReadmeIsTheOneThatRuns() throws IOException {
        String test = Files.readString(Path.of("src/test/java/dev/verbena/junit/EchoTest.java"));
        assertThat(Files.readString(Path.of("../README.md")))
                .contains(test.substring(test.indexOf("class EchoTest {")));
    }
}
