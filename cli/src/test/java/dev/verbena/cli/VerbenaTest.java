// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class VerbenaTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Verbena.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @Test
    void tellsItsVersionAndTheJavaItRunsOn() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).startsWith("verbena ").contains("Java " + Runtime.version());
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpNamesTheCommandAndItsOptions() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("Usage: verbena", "--version");
    }

    @ParameterizedTest(name = "verbena {0}")
    @CsvSource({"--nonsense, --nonsense", "nonsense, nonsense"})
    void refusesWhatItDoesNotKnowInTwoLines(String argument, String named) {
        assertThat(argument.isEmpty() ? run() : run(argument)).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines()).hasSize(2).first().asString().contains(named);
    }

    @Test
    void failsWhenItsOutputIsLost() {
        CommandLine commandLine = Verbena.commandLine()
                .setOut(new PrintWriter(new FullDevice(), true))
                .setErr(new PrintWriter(err));
        assertThat(Verbena.run(commandLine, "--version")).isEqualTo(1);
        assertThat(err.toString()).contains("cannot write").hasLineCount(1);
    }

    private static final class FullDevice extends Writer {
        @Override
        public void write(char[] characters, int offset, int length) throws IOException {
            throw new IOException("no space left on device");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
