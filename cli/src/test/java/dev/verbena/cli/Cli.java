// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Module;
import com.google.inject.util.Modules;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;

/**
 * The result of a call of the command line.
 *
 * @param code the exit code
 * @param out its standard output
 * @param err its error output
 */
record Cli(int code, String out, String err) {

    static Cli run(String... args) {
        return run(Modules.EMPTY_MODULE, args);
    }

    static Cli run(Module overrides, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Verbena.commandLine(overrides)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
        return new Cli(code, out.toString(), err.toString());
    }

    /** Asserts that the call succeeded: three equal digests, all credits, no error output. */
    Cli succeeded() {
        assertThat(err).isEmpty();
        assertThat(out).contains("all three agree", "complete").doesNotContain("DIFFER", "MISSING");
        assertThat(List.of(value("of the copy of B"), value("of the data that A fetched")))
                .containsOnly(value("SHA-256 of the source"));
        assertThat(code).isZero();
        return this;
    }

    /** Asserts that the call was refused or failed, with a short message. */
    Cli failed(int expectedCode, String... hints) {
        assertThat(code).isEqualTo(expectedCode);
        assertThat(out).isEmpty();
        assertThat(err.lines().toList()).hasSizeBetween(1, 2);
        assertThat(err).contains(hints).doesNotContain("\tat ", "at dev.verbena");
        return this;
    }

    /** The last cell of the row with this name. */
    String value(String name) {
        List<String> cells = cells(name);
        return cells.getLast();
    }

    /** The sum of the numbers in the row with this name; 0 if no row has it. */
    long sum(String name) {
        return out.contains(name)
                ? cells(name).stream().mapToLong(Long::parseLong).sum()
                : 0;
    }

    private List<String> cells(String name) {
        String row = out.lines()
                .filter(line -> line.startsWith(name + " "))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row '" + name + "' in\n" + out));
        return Arrays.asList(row.substring(name.length()).strip().split(" +"));
    }
}
