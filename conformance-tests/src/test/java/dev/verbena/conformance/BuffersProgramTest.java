// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example that registers the memory of a program, of every kind, and moves data with every opcode that takes memory. */
class BuffersProgramTest {
    @TempDir
    Path directory;

    @Test
    void memoryOfEveryKindIsMovedByEveryOpcode() throws IOException, InterruptedException {
        Path module = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        OutsideProgram program = new OutsideProgram(module.resolve("../examples/memory/Buffers.java"), directory);

        assertThat(program.run("sim", "sim0", "sim1").lines())
                .containsExactly(
                        "mapped file: 12 operations",
                        "direct buffer: 12 operations",
                        "slice of a shared arena: 12 operations",
                        "one segment on two devices: 12 operations");
    }
}
