// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code --verbose}, which the report of an unexpected failure mentions. */
class VerboseTest {
    private static void collect(CommandLine command, List<CommandLine> all) {
        all.add(command);
        command.getSubcommands().values().forEach(each -> collect(each, all));
    }

    @Test
    void everyCommandHasIt() {
        List<CommandLine> all = new ArrayList<>();
        collect(Verbena.commandLine(), all);
        assertThat(all)
                .hasSizeGreaterThan(30)
                .allSatisfy(command -> assertThat(command.getCommandSpec().findOption("--verbose"))
                        .as(command.getCommandSpec().qualifiedName())
                        .isNotNull());
    }

    @Test
    void itShowsWhereAnUnexpectedFailureHappened() {
        for (String command : List.of("demo", "lnet stats", "perftest send-lat", "conformance", "rping", "devinfo")) {
            assertThat(fail(command + " --verbose"))
                    .as(command)
                    .contains("unexpected", "at dev.verbena.cli.VerboseTest");
            assertThat(fail(command))
                    .as(command)
                    .contains("--verbose shows where")
                    .doesNotContain("\tat ");
        }
    }

    /** Reports a failure of the command without running it. */
    private static String fail(String arguments) {
        StringWriter err = new StringWriter();
        CommandLine root = Verbena.commandLine().setErr(new PrintWriter(err));
        root.setExecutionStrategy(parsed -> {
            throw new CommandLine.ExecutionException(
                    parsed.asCommandLineList().getLast(), "failed", new IllegalStateException("a defect"));
        });
        root.execute(arguments.split(" "));
        return err.toString();
    }
}
